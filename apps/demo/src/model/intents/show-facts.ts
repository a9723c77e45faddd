import { showOn } from '../calls';
import { block, problemLines } from '../explanations';
import { answer, intent, type Intent } from '../intent';
import type { LabNode } from '../lab-view';

interface Fact {
  readonly name: string;
  readonly title: Intent['title'];
  readonly words: RegExp;
  readonly command: string;
}

const FACTS: readonly Fact[] = [
  {
    name: 'ospf-neighbours',
    title: { en: 'OSPF neighbours', zh: 'OSPF 邻居' },
    words: /ospf.*(neighbou?r|邻居)|(neighbou?r|邻居).*ospf/i,
    command: 'show ip ospf neighbor',
  },
  {
    name: 'neighbours',
    title: { en: 'Neighbours', zh: '邻居' },
    words: /neighbou?rs?|邻居/i,
    command: 'show cdp neighbors',
  },
  {
    name: 'routing-table',
    title: { en: 'Routing table', zh: '路由表' },
    words: /rout(?:ing|e) table|show (?:the )?(?:ip )?routes?\b|路由表/i,
    command: 'show ip route',
  },
  {
    name: 'version',
    title: { en: 'Versions', zh: '版本' },
    words: /\bversions?\b|uptime|版本|运行时间/i,
    command: 'show version',
  },
  {
    name: 'running-config',
    title: { en: 'Running configuration', zh: '运行配置' },
    words: /running.?config|show (?:the )?config|current config|当前配置|查看.*配置|显示.*配置/i,
    command: 'show running-config',
  },
];

/** Questions that one show command answers, on the routers named or on all. */
export const showFacts: readonly Intent[] = FACTS.map(({ name, title, words, command }) =>
  intent<readonly LabNode[]>({
    name,
    title,
    recognise: (turn) => {
      if (!words.test(turn.text)) return undefined;
      const named = turn.named().filter((node) => node.kind === 'router');
      return named.length > 0 ? named : turn.routers();
    },
    plan: (routers, turn) => {
      if (turn.stage === 0) {
        const say = turn.say(`I ask with \`${command}\`.`, `我用 \`${command}\` 查询。`);
        return {
          kind: 'calls',
          say,
          calls: showOn(routers.map((node) => ({ device: node.name, commands: [command] }))),
        };
      }
      const results = turn.results(0);
      const shown = results
        .filter((each) => each.isGood)
        .map((each) => `**${each.device}**\n\n${block(each.output)}`);
      return answer([...shown, ...problemLines(results, turn)].join('\n\n'));
    },
  }),
);
