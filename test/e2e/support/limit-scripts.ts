import type { Script, Turn } from '../../fakes/scripted-model';
import { limitedRun } from './limited-run';
import type { Stack } from './stack';

export const SHOW = 'execute_multiple_device_commands';
export const CONFIG = 'execute_multiple_device_config_commands';

export const show = (device_name: string, command = 'show clock') => ({
  name: SHOW,
  args: { device_configs: [{ device_name, commands: [command] }] },
});

/** A call like no other that needs no console: its device does not exist. */
let asked = 0;
export const probe = () => show(`X${(asked += 1)}`);
export const probes = (count: number) => Array.from({ length: count }, probe);

export const configure = (device_name: string) => ({
  name: CONFIG,
  args: { device_configs: [{ device_name, config_commands: ['ip host marker 192.0.2.1'] }] },
});

/** Asks for tools for as long as it may. */
export const restless: Script = ({ tool_choice }) =>
  tool_choice === 'none' ? { text: 'I stop here.' } : { calls: [probe()] };

/** Plays runs on one stack. */
export const runsOn =
  (stack: () => Stack) =>
  (
    script: Script | readonly Turn[],
    limits: Record<string, unknown>,
    onFrame?: Parameters<typeof limitedRun>[3],
  ) =>
    limitedRun(stack(), script, limits, onFrame);
