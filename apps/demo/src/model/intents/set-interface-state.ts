import { configureOn, showOn } from '../calls';
import { interfaceRows } from '../device-results';
import { problemLines } from '../explanations';
import { answer, intent } from '../intent';
import { interfacePhrase } from '../phrases';
import type { LabNode } from '../lab-view';

interface Wanted {
  readonly router: LabNode;
  readonly port: string;
  readonly isUp: boolean;
}

export const setInterfaceState = intent<Wanted>({
  name: 'set-interface-state',
  title: { en: 'Interface up or down', zh: '接口启停' },
  recognise: (turn) => {
    const up = /no shut|bring up|turn on|enable|启用|打开|开启/i.test(turn.text);
    const down = /shut ?down|\bshut\b|bring down|turn off|disable|关闭|禁用/i.test(turn.text);
    const router = turn.named().find((node) => node.kind === 'router');
    const port = interfacePhrase(turn.text);
    return router && port !== undefined && (up || down) ? { router, port, isUp: up } : undefined;
  },
  plan: ({ router, port, isUp }, turn) => {
    if (turn.stage === 0) {
      const line = isUp ? 'no shutdown' : 'shutdown';
      const say = turn.say(
        `I send \`${line}\` to ${router.name} ${port}.`,
        `我向 ${router.name} ${port} 下发 \`${line}\`。`,
      );
      return {
        kind: 'calls',
        say,
        calls: configureOn([{ device: router.name, commands: [`interface ${port}`, line] }]),
      };
    }
    if (turn.stage === 1) {
      const commands = ['show ip interface brief'];
      return {
        kind: 'calls',
        say: turn.say('I check the state.', '检查状态。'),
        calls: showOn([{ device: router.name, commands }]),
      };
    }
    const row = interfaceRows(turn.outputOf(1, router.name)).find((each) => each.name === port);
    const state = row ? `${row.status}/${row.protocol}` : turn.say('not in the list', '不在列表中');
    const text = turn.say(
      `${router.name} ${port} is now ${state}.`,
      `${router.name} ${port} 现在的状态：${state}。`,
    );
    return answer([text, ...problemLines(turn.results(0), turn)].join('\n'));
  },
});
