import { readTopology, TOPOLOGY_TOOL } from '../calls';
import { answer, intent } from '../intent';
import type { LabView } from '../lab-view';
import type { Turn } from '../turn';

export const showTopology = intent<true>({
  name: 'show-topology',
  title: { en: 'Topology of the lab', zh: '实验室拓扑' },
  recognise: (turn) =>
    /topology|connected to|\bnodes?\b|what.*(devices|lab)|list.*devices|拓扑|有哪些(设备|节点)|连接关系/i.test(
      turn.text,
    ) || undefined,
  plan: (_wanted, turn) => {
    const hasRead = turn.conversation.rounds.flat().some((call) => call.tool === TOPOLOGY_TOOL);
    if (!hasRead && turn.conversation.mayCall && turn.conversation.tools.has(TOPOLOGY_TOOL)) {
      return {
        kind: 'calls',
        say: turn.say('I read the topology afresh.', '我重新读取拓扑。'),
        calls: [readTopology()],
      };
    }
    return answer(describe(turn.lab, turn));
  },
});

function describe({ nodes, links }: LabView, turn: Turn): string {
  if (nodes.length === 0)
    return turn.say('I cannot see any nodes in this project.', '我在这个项目中没有看到任何节点。');
  return [
    turn.say(
      `The lab has ${nodes.length} nodes and ${links.length} links.`,
      `实验室有 ${nodes.length} 个节点、${links.length} 条链路。`,
    ),
    '',
    turn.say('| Node | Type | Status |', '| 节点 | 类型 | 状态 |'),
    '|---|---|---|',
    ...nodes.map((node) => `| ${node.name} | ${node.type} | ${node.status} |`),
    '',
    ...links.map(({ ends: [a, b] }) => `- ${a.node} ${a.port} ↔ ${b.node} ${b.port}`),
  ].join('\n');
}
