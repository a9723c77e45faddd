import { configureOn, showOn } from '../calls';
import { block, problemLines } from '../explanations';
import { answer, intent } from '../intent';
import { addresses, addressPhrase, maskText, networkText } from '../phrases';
import type { LabNode } from '../lab-view';

interface Wanted {
  readonly router: LabNode | undefined;
  readonly network: string;
  readonly length: number;
  readonly nextHop: string | undefined;
}

export const staticRoute = intent<Wanted>({
  name: 'static-route',
  title: { en: 'Static route', zh: '静态路由' },
  recognise: (turn) => {
    const isDefault = /default route|默认路由|缺省路由/i.test(turn.text);
    if (!isDefault && !/static route|\broute to\b|add a route|静态路由/i.test(turn.text)) return undefined;
    const prefix = addressPhrase(turn.text);
    const router = turn.named().find((node) => node.kind === 'router');
    const network = isDefault || !prefix ? '0.0.0.0' : networkText(prefix);
    const length = isDefault || !prefix ? 0 : prefix.length;
    if (!isDefault && !prefix) return undefined;
    const nextHop = addresses(turn.text).findLast(
      (each) => each !== prefix?.address && !each.startsWith('255.'),
    );
    return { router, network, length, nextHop };
  },
  plan: ({ router, network, length, nextHop }, turn) => {
    if (!router || nextHop === undefined) {
      return answer(
        turn.say(
          'For a static route I need the router, the destination and the next hop, e.g. "static route on R1 to 192.168.2.0/24 via 10.0.12.2".',
          '配置静态路由需要路由器、目的网段和下一跳，例如“在 R1 上配置静态路由 192.168.2.0/24 下一跳 10.0.12.2”。',
        ),
      );
    }
    if (turn.stage === 0) {
      const say = turn.say(`I add the route on ${router.name}.`, `我在 ${router.name} 上添加这条路由。`);
      const line = `ip route ${network} ${maskText(length)} ${nextHop}`;
      return { kind: 'calls', say, calls: configureOn([{ device: router.name, commands: [line] }]) };
    }
    if (turn.stage === 1) {
      const commands = ['show ip route static'];
      return {
        kind: 'calls',
        say: turn.say('I check that it is used.', '检查路由是否生效。'),
        calls: showOn([{ device: router.name, commands }]),
      };
    }
    const output = turn.outputOf(1, router.name);
    const isUsed = new RegExp(`^S\\*?\\s.*via ${nextHop.replaceAll('.', '\\.')}`, 'm').test(output);
    const verdict = isUsed
      ? turn.say(
          `The route to ${network}/${length} by ${nextHop} is in the table of ${router.name}.`,
          `${router.name} 的路由表中已有经 ${nextHop} 到 ${network}/${length} 的路由。`,
        )
      : turn.say(
          `The route is configured but not in the table: ${nextHop} is on no subnet that is up on ${router.name}.`,
          `路由已配置但不在路由表中：${nextHop} 不在 ${router.name} 任何启用的网段内。`,
        );
    return answer([verdict, ...problemLines(turn.results(0), turn), '', block(output)].join('\n'));
  },
});
