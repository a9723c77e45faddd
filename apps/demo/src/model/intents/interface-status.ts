import { showOn, typeIntoPcs } from '../calls';
import { interfaceRows } from '../device-results';
import { problemLines } from '../explanations';
import { answer, intent } from '../intent';
import { interfacePhrase } from '../phrases';
import type { LabNode } from '../lab-view';
import type { Step } from '../step';
import type { Turn } from '../turn';

interface Wanted {
  readonly routers: readonly LabNode[];
  readonly pcs: readonly LabNode[];
}

export const interfaceStatus = intent<Wanted>({
  name: 'interface-status',
  title: { en: 'Interface status', zh: '接口状态' },
  recognise: (turn) => {
    const aboutInterfaces = /\binterfaces?\b|\bports?\b|\bip addresses\b|接口|端口|地址/i.test(turn.text);
    if (!aboutInterfaces || interfacePhrase(turn.text)?.startsWith('Vlan')) return undefined;
    const named = turn.named();
    const chosen = named.length > 0 ? named : turn.lab.nodes;
    return {
      routers: chosen.filter((node) => node.kind === 'router'),
      pcs: chosen.filter((node) => node.kind === 'pc'),
    };
  },
  plan: ({ routers, pcs }, turn) => {
    if (turn.stage > 0) return answer(report(turn));
    return lookAt(routers, pcs, turn);
  },
});

function lookAt(routers: readonly LabNode[], pcs: readonly LabNode[], turn: Turn): Step {
  if (routers.length + pcs.length === 0) {
    return answer(
      turn.say('None of these nodes has a command line to ask.', '这些节点都没有可以查询的命令行。'),
    );
  }
  const names = [...routers, ...pcs].map((node) => node.name);
  const shown = names.length > 6 ? `${names.slice(0, 6).join(', ')} … (${names.length})` : names.join(', ');
  const calls = [
    ...showOn(routers.map((node) => ({ device: node.name, commands: ['show ip interface brief'] }))),
    ...typeIntoPcs(pcs.map((node) => ({ device: node.name, commands: ['show ip'] }))).map((call) => ({
      ...call,
      isOptional: routers.length > 0,
    })),
  ];
  return {
    kind: 'calls',
    say: turn.say(`I look at the interfaces of ${shown}.`, `我来查看 ${shown} 的接口。`),
    calls,
  };
}

function report(turn: Turn): string {
  const results = turn.results(0);
  const rows = results.flatMap((result) => [
    ...interfaceRows(result.output).map((row) => {
      const state = row.status === 'up' && row.protocol === 'up' ? 'up' : `${row.status}/${row.protocol}`;
      return `| ${result.device} | ${row.name} | ${row.address ?? '-'} | ${state} |`;
    }),
    ...pcRow(result.device, result.output),
  ]);
  const down = rows.filter((row) => /down/.test(row)).length;
  return [
    turn.say('| Device | Interface | Address | State |', '| 设备 | 接口 | 地址 | 状态 |'),
    '|---|---|---|---|',
    ...rows,
    '',
    turn.say(
      `${rows.length} interfaces, ${down} of them down.`,
      `共 ${rows.length} 个接口，其中 ${down} 个未启用。`,
    ),
    ...problemLines(results, turn),
  ].join('\n');
}

function pcRow(device: string, output: string): string[] {
  const [, address] = /^IP\/MASK\s*:\s*(\S+)/m.exec(output) ?? [];
  if (address === undefined) return [];
  return [`| ${device} | Ethernet0 | ${address.startsWith('0.0.0.0') ? '-' : address} | up |`];
}
