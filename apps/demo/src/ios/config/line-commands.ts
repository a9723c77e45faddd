import { configMode, keepLines } from './shell-words';

const KEPT = [
  'exec-timeout <text:line>',
  'history size <text:line>',
  'length <text:line>',
  'logging synchronous',
  'login',
  'login local',
  'password <text:line>',
  'privilege level <text:line>',
  'stopbits <text:line>',
  'transport <text:line>',
];

export const lineCommands = configMode();

keepLines(lineCommands, KEPT, ({ state, target }) =>
  target.kind === 'line' ? state.lines.get(target.name)?.kept : undefined,
);
