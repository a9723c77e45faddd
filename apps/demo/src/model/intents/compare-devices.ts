import { showOn } from '../calls';
import { answer, intent } from '../intent';
import type { LabNode } from '../lab-view';
import type { Turn } from '../turn';

interface Pair {
  readonly left: LabNode;
  readonly right: LabNode;
}

const MAX_SHOWN = 40;

export const compareDevices = intent<Pair>({
  name: 'compare-devices',
  title: { en: 'Comparison', zh: '配置对比' },
  recognise: (turn) => {
    if (!/\bcompar|\bdiff|比较|对比|区别|差异/i.test(turn.text)) return undefined;
    const named = turn.named().filter((node) => node.kind === 'router');
    const [left, right] = named.length > 1 ? named : turn.routers();
    return left && right ? { left, right } : undefined;
  },
  plan: ({ left, right }, turn) => {
    if (turn.stage > 0) return answer(report(left.name, right.name, turn));
    const commands = ['show running-config'];
    return {
      kind: 'calls',
      say: turn.say(
        `I read both configurations at once: ${left.name} and ${right.name}.`,
        `我同时读取 ${left.name} 和 ${right.name} 的配置。`,
      ),
      calls: [left, right].flatMap((node) => showOn([{ device: node.name, commands }])),
    };
  },
});

function report(left: string, right: string, turn: Turn): string {
  const leftLines = configLines(turn.outputOf(0, left));
  const rightLines = configLines(turn.outputOf(0, right));
  const onlyLeft = [...leftLines].filter((line) => !rightLines.has(line));
  const onlyRight = [...rightLines].filter((line) => !leftLines.has(line));
  if (leftLines.size === 0 || rightLines.size === 0) {
    return turn.say(
      'I did not get both configurations, so I cannot compare them.',
      '没有取得两份配置，无法比较。',
    );
  }
  const shared = leftLines.size - onlyLeft.length;
  return [
    turn.say(
      `${left} and ${right} share ${shared} lines; ${onlyLeft.length} stand only on ${left}, ${onlyRight.length} only on ${right}.`,
      `${left} 与 ${right} 有 ${shared} 行相同；${onlyLeft.length} 行仅在 ${left} 上，${onlyRight.length} 行仅在 ${right} 上。`,
    ),
    '',
    '```diff',
    ...onlyLeft.slice(0, MAX_SHOWN).map((line) => `- ${line}`),
    ...onlyRight.slice(0, MAX_SHOWN).map((line) => `+ ${line}`),
    '```',
  ].join('\n');
}

/** Lines with the section that they stand in, so that two `ip address` lines are told apart. */
function configLines(output: string): Set<string> {
  const lines = new Set<string>();
  let section = '';
  for (const raw of output.split('\n')) {
    const line = raw.trimEnd();
    if (line === '' || line.startsWith('!') || /^(Building|Current|\S+[#>])/.test(line) || line === 'end')
      continue;
    if (!line.startsWith(' ')) section = line;
    lines.add(line.startsWith(' ') ? `${section} /${line}` : line);
  }
  return lines;
}
