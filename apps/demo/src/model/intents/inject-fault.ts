import { configureOn, showOn } from '../calls';
import { interfaceRows } from '../device-results';
import { answer, intent } from '../intent';
import type { Step } from '../step';
import type { Turn } from '../turn';

interface Wanted {
  readonly count: number;
}

/** A practice fault: interfaces that carry traffic are shut; the user hears of the symptom only. */
export const injectFault = intent<Wanted>({
  name: 'inject-fault',
  title: { en: 'Troubleshooting practice', zh: '排错练习' },
  recognise: (turn) => {
    if (!/inject.*fault|注入.*故障|制造.*故障/i.test(turn.text)) return undefined;
    return { count: Math.min(3, Math.max(1, Number(/\b([1-9])\b/.exec(turn.text)?.[1] ?? 1))) };
  },
  plan: ({ count }, turn) => {
    switch (turn.stage) {
      case 0:
        return look(turn);
      case 1:
        return breakLinks(count, turn);
      case 2:
        return check(turn);
      default:
        return answer(ticket(turn));
    }
  },
});

function look(turn: Turn): Step {
  const routers = turn.routers();
  if (routers.length === 0)
    return answer(turn.say('I see no routers to put a fault into.', '没有可以注入故障的路由器。'));
  const commands = ['show ip interface brief'];
  const say = turn.say('First I learn how the lab works now.', '先了解实验室现在的状态。');
  return { kind: 'calls', say, calls: showOn(routers.map((node) => ({ device: node.name, commands }))) };
}

function breakLinks(count: number, turn: Turn): Step {
  const candidates = turn.results(0).flatMap((result) =>
    interfaceRows(result.output)
      .filter((row) => row.protocol === 'up' && row.address !== undefined && row.name.startsWith('Gigabit'))
      .map((row) => ({ device: result.device, commands: [`interface ${row.name}`, 'shutdown'] })),
  );
  if (candidates.length === 0) {
    return answer(
      turn.say(
        'No interface carries traffic yet, so no fault would show.',
        '还没有承载流量的接口，注入故障也不会有现象。',
      ),
    );
  }
  // From the far end of the list: the first router is where people look first.
  const chosen = candidates.slice(-count);
  const say = turn.say('I prepare the exercise.', '正在准备练习。');
  return { kind: 'calls', say, calls: chosen.flatMap((each) => configureOn([each])) };
}

function check(turn: Turn): Step {
  const commands = ['show ip interface brief'];
  const say = turn.say('I check that the symptom shows.', '确认故障现象已出现。');
  return {
    kind: 'calls',
    say,
    calls: showOn(turn.routers().map((node) => ({ device: node.name, commands }))),
  };
}

function ticket(turn: Turn): string {
  const up = (stage: number): Set<string> =>
    new Set(
      turn
        .results(stage)
        .flatMap((result) =>
          interfaceRows(result.output).flatMap((row) =>
            row.protocol === 'up' && row.address ? [row.address] : [],
          ),
        ),
    );
  const now = up(2);
  const lost = [...up(0)].filter((address) => !now.has(address));
  if (lost.length === 0)
    return turn.say('The fault did not take; nothing has changed.', '故障没有生效，实验室没有变化。');
  return turn.say(
    `**Trouble ticket.** Since a few moments, users report that ${lost.join(' and ')} no longer answer${lost.length === 1 ? 's' : ''}. Find the cause and repair it. Ask me for the interface status when you want a first look.`,
    `**故障单。** 用户报告 ${lost.join('、')} 刚刚开始没有响应。请找出原因并修复。需要线索时可以让我查看接口状态。`,
  );
}
