import { configureOn, showOn } from '../calls';
import { interfaceRows } from '../device-results';
import { block, problemLines } from '../explanations';
import { answer, intent } from '../intent';
import { addresses, addressPhrase, interfacePhrase, maskText, type AddressPhrase } from '../phrases';
import type { LabNode } from '../lab-view';
import type { Step } from '../step';
import type { Turn } from '../turn';
import { pingVerdict } from './ping-test';

interface Wanted extends AddressPhrase {
  readonly router: LabNode | undefined;
  readonly port: string | undefined;
  readonly ping: string | undefined;
}

export const configureAddress = intent<Wanted>({
  name: 'configure-address',
  title: { en: 'Interface address', zh: '接口地址配置' },
  recognise: (turn) => {
    const address = addressPhrase(turn.text);
    if (
      !address ||
      !/configur|assign|\bset\b|\badd\b|\bput\b|\bgive\b|\buse\b|配置|设置|分配|配上|添加/i.test(turn.text)
    )
      return undefined;
    const router = turn.named().find((node) => node.kind === 'router');
    const ping = /\bping\b|连通/i.test(turn.text)
      ? addresses(turn.text).find((each) => each !== address.address)
      : undefined;
    return { ...address, router, port: interfacePhrase(turn.text), ping };
  },
  plan: (wanted, turn) => {
    const { router } = wanted;
    if (!router)
      return answer(turn.say('Which router should get this address?', '这个地址要配置在哪台路由器上？'));
    switch (turn.stage) {
      case 0:
        return look(router, turn);
      case 1:
        return apply(wanted, router, turn);
      case 2:
        return verify(wanted, router, turn);
      default:
        return answer(report(wanted, router, turn));
    }
  },
});

function look(router: LabNode, turn: Turn): Step {
  const say = turn.say(`First I look at the interfaces of ${router.name}.`, `先查看 ${router.name} 的接口。`);
  return {
    kind: 'calls',
    say,
    calls: showOn([{ device: router.name, commands: ['show ip interface brief'] }]),
  };
}

function apply(wanted: Wanted, router: LabNode, turn: Turn): Step {
  const port = choosePort(wanted, router, turn);
  if (port === undefined) {
    return answer(
      turn.say(
        `${router.name} has no interface left without an address; name the one to change.`,
        `${router.name} 没有未配置地址的接口了，请指明要修改的接口。`,
      ),
    );
  }
  const lines = [
    `interface ${port}`,
    `ip address ${wanted.address} ${maskText(wanted.length)}`,
    'no shutdown',
  ];
  const say = turn.say(
    `${port} it is: I set ${wanted.address}/${wanted.length} there and bring it up.`,
    `使用 ${port}：配置 ${wanted.address}/${wanted.length} 并启用接口。`,
  );
  return { kind: 'calls', say, calls: configureOn([{ device: router.name, commands: lines }]) };
}

/** The interface named, else the one towards another router, else the first without an address. */
function choosePort(wanted: Wanted, router: LabNode, turn: Turn): string | undefined {
  if (wanted.port !== undefined) return wanted.port;
  const rows = interfaceRows(turn.outputOf(0, router.name));
  const holder = rows.find((row) => row.address === wanted.address);
  if (holder) return holder.name;
  const isFree = (name: string): boolean =>
    rows.every((row) => row.name !== name || row.address === undefined);
  const towardsRouter = portsTowardsRouters(router, turn).find(isFree);
  return towardsRouter ?? rows.find((row) => row.address === undefined)?.name;
}

function portsTowardsRouters(router: LabNode, turn: Turn): string[] {
  const isRouter = (name: string): boolean => turn.node(name)?.kind === 'router';
  return turn.lab.links.flatMap(({ ends: [a, b] }) => {
    if (a.node === router.name && isRouter(b.node)) return [a.port];
    return b.node === router.name && isRouter(a.node) ? [b.port] : [];
  });
}

function verify({ ping }: Wanted, router: LabNode, turn: Turn): Step {
  const commands = ['show ip interface brief', ...(ping === undefined ? [] : [`ping ${ping}`])];
  const say = turn.say('The router took it. I check the result.', '路由器已接受配置，我来验证结果。');
  return { kind: 'calls', say, calls: showOn([{ device: router.name, commands }]) };
}

function report(wanted: Wanted, router: LabNode, turn: Turn): string {
  const output = turn.outputOf(2, router.name);
  const row = interfaceRows(output).find((each) => each.address === wanted.address);
  const state = row
    ? turn.say(
        `${router.name} ${row.name} now has ${wanted.address}/${wanted.length} and is ${row.status}/${row.protocol}.`,
        `${router.name} ${row.name} 现在的地址是 ${wanted.address}/${wanted.length}，状态 ${row.status}/${row.protocol}。`,
      )
    : turn.say(
        `I do not see ${wanted.address} on any interface of ${router.name}.`,
        `在 ${router.name} 的接口上没有看到 ${wanted.address}。`,
      );
  const ping = wanted.ping === undefined ? [] : ['', pingVerdict(router.name, wanted.ping, output, turn)];
  const unsaved = turn.say('The configuration has not been saved.', '配置尚未保存。');
  return [state, ...ping, ...problemLines(turn.results(1), turn), '', block(output), '', unsaved].join('\n');
}
