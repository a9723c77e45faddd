import { configureOn, showOn } from '../calls';
import { interfaceRows } from '../device-results';
import { problemLines } from '../explanations';
import { answer, intent } from '../intent';
import { meansAll } from '../phrases';
import type { LabNode } from '../lab-view';
import type { Step } from '../step';
import type { Turn } from '../turn';

/** Up to here each router gets a call of its own, all in one turn; larger labs share calls. */
const SINGLE_CALLS_UP_TO = 6;

interface Wanted {
  readonly routers: readonly LabNode[];
  readonly area: number;
}

export const configureOspf = intent<Wanted>({
  name: 'configure-ospf',
  title: { en: 'OSPF', zh: 'OSPF 配置' },
  recognise: (turn) => {
    if (
      !/ospf/i.test(turn.text) ||
      !/configur|enable|set ?up|\brun\b|turn on|\badd\b|deploy|配置|启用|开启|部署|运行/i.test(turn.text)
    )
      return undefined;
    if (/^\s*(?:please\s+|请)?(?:save|show|保存|查看|显示)/i.test(turn.text)) return undefined;
    const named = turn.named().filter((node) => node.kind === 'router');
    const routers = named.length === 0 || meansAll(turn.text) ? turn.routers() : named;
    return {
      routers,
      area: Number(/area\s+(\d+)|区域\s*(\d+)/i.exec(turn.text)?.slice(1).find(Boolean) ?? 0),
    };
  },
  plan: ({ routers, area }, turn) => {
    if (routers.length === 0)
      return answer(turn.say('I see no routers in this lab.', '我没有在这个实验室里看到路由器。'));
    switch (turn.stage) {
      case 0:
        return look(routers, turn);
      case 1:
        return apply(routers, area, turn);
      case 2:
        return verify(routers, turn);
      default:
        return answer(report(routers, turn));
    }
  },
});

function look(routers: readonly LabNode[], turn: Turn): Step {
  const say = turn.say(
    `Plan for OSPF on ${routers.length} routers: 1. read the addresses, 2. put each interface into OSPF, 3. check the neighbours. I start with the addresses.`,
    `在 ${routers.length} 台路由器上配置 OSPF 的计划：1. 读取地址；2. 把每个接口加入 OSPF；3. 检查邻居。先读取地址。`,
  );
  const commands = ['show ip interface brief'];
  return { kind: 'calls', say, calls: showOn(routers.map((node) => ({ device: node.name, commands }))) };
}

function apply(routers: readonly LabNode[], area: number, turn: Turn): Step {
  const configs = routers.flatMap((node) => {
    const rows = interfaceRows(turn.outputOf(0, node.name)).filter((row) => row.address !== undefined);
    if (rows.length === 0) return [];
    const networks = rows.map((row) => `network ${row.address} 0.0.0.0 area ${area}`);
    return [{ device: node.name, commands: ['router ospf 1', ...networks] }];
  });
  if (configs.length === 0) {
    return answer(
      turn.say(
        'No router has an address yet; OSPF needs addresses first.',
        '还没有路由器配置地址，需要先配置地址才能运行 OSPF。',
      ),
    );
  }
  const say = turn.say(
    `Now OSPF process 1, area ${area}, on each of them.`,
    `现在逐台配置 OSPF 进程 1，区域 ${area}。`,
  );
  const calls =
    configs.length <= SINGLE_CALLS_UP_TO
      ? configs.flatMap((each) => configureOn([each]))
      : configureOn(configs);
  return { kind: 'calls', say, calls };
}

function verify(routers: readonly LabNode[], turn: Turn): Step {
  const commands = ['show ip ospf neighbor', 'show ip route ospf'];
  const say = turn.say('Configured. I check neighbours and routes.', '配置完成，检查邻居和路由。');
  return { kind: 'calls', say, calls: showOn(routers.map((node) => ({ device: node.name, commands }))) };
}

function report(routers: readonly LabNode[], turn: Turn): string {
  const rows = routers.map((node) => {
    const output = turn.outputOf(2, node.name);
    const neighbours = [...output.matchAll(/^(\d+\.\d+\.\d+\.\d+)\s+\d+\s+(\w+)\//gm)].map(
      ([, id, state]) => `${id} (${state})`,
    );
    const routes = output.match(/^O\s/gm)?.length ?? 0;
    return `| ${node.name} | ${neighbours.join(', ') || '-'} | ${routes} |`;
  });
  const alone = rows.filter((row) => row.includes('| - |')).length;
  const note =
    alone === 0
      ? turn.say('Every router has a neighbour.', '每台路由器都有邻居。')
      : turn.say(
          `${alone} of ${rows.length} routers have no neighbour: on those links one end has no address, another subnet, or is down.`,
          `${rows.length} 台路由器中有 ${alone} 台没有邻居：对应链路的一端没有地址、子网不同，或接口未启用。`,
        );
  const problems = problemLines([...turn.results(1), ...turn.results(2)], turn);
  const head = turn.say(
    '| Router | OSPF neighbours | Routes learned |',
    '| 路由器 | OSPF 邻居 | 学到的路由 |',
  );
  const unsaved = turn.say('The configuration has not been saved.', '配置尚未保存。');
  return [head, '|---|---|---|', ...rows, '', note, ...problems, unsaved].join('\n');
}
