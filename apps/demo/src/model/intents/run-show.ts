import { showOn } from '../calls';
import { block, problemLines } from '../explanations';
import { answer, intent } from '../intent';
import type { LabNode } from '../lab-view';

interface Wanted {
  readonly command: string;
  readonly routers: readonly LabNode[];
}

/** Any other command that the user spells out: "run show clock on R1", "在 R1 上执行 show arp". */
export const runShow = intent<Wanted>({
  name: 'run-show',
  title: { en: 'Show command', zh: '查询命令' },
  recognise: (turn) => {
    const [, quoted] = /[`"“](.+?)[`"”]/.exec(turn.text) ?? [];
    const [, ordered] = /(?:\brun|\bexecute|执行|运行)\s*([a-z][\w /.|-]*)/i.exec(turn.text) ?? [];
    const [, spelled] = /\b(sh(?:ow)? (?!the\b|me\b|my\b|all\b)[a-z][\w /.|-]*)/i.exec(turn.text) ?? [];
    const command = (quoted ?? ordered ?? spelled)?.replace(/\s+(?:on|at|of|from)\s.*$/i, '').trim();
    if (command === undefined || command === '') return undefined;
    const named = turn.named().filter((node) => node.kind === 'router');
    return { command, routers: named.length > 0 ? named : turn.routers() };
  },
  plan: ({ command, routers }, turn) => {
    if (turn.stage === 0) {
      const names = routers.map((node) => node.name);
      const say = turn.say(
        `I run \`${command}\` on ${names.join(', ')}.`,
        `我在 ${names.join('、')} 上执行 \`${command}\`。`,
      );
      return { kind: 'calls', say, calls: showOn(names.map((device) => ({ device, commands: [command] }))) };
    }
    const results = turn.results(0);
    const shown = results
      .filter((each) => each.isGood)
      .map((each) => `**${each.device}**\n\n${block(each.output)}`);
    return answer([...shown, ...problemLines(results, turn)].join('\n\n'));
  },
});
