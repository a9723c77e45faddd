import { typeIntoPcs } from '../calls';
import { block } from '../explanations';
import { answer, intent } from '../intent';
import { addresses, addressPhrase, type AddressPhrase } from '../phrases';
import type { LabNode } from '../lab-view';

interface Wanted extends AddressPhrase {
  readonly pc: LabNode;
  readonly gateway: string | undefined;
}

export const configurePc = intent<Wanted>({
  name: 'configure-pc',
  title: { en: 'Address of a PC', zh: 'PC 地址配置' },
  recognise: (turn) => {
    const address = addressPhrase(turn.text);
    const [first] = turn.named();
    if (!address || first?.kind !== 'pc') return undefined;
    return {
      ...address,
      pc: first,
      gateway: addresses(turn.text).find((each) => each !== address.address && !each.startsWith('255.')),
    };
  },
  plan: ({ pc, address, length, gateway }, turn) => {
    if (turn.stage === 0) {
      const line = ['ip', `${address}/${length}`, gateway].filter((part) => part !== undefined).join(' ');
      const check = gateway === undefined ? [] : [`ping ${gateway}`];
      return {
        kind: 'calls',
        say: turn.say(`I set the address of ${pc.name}.`, `我来配置 ${pc.name} 的地址。`),
        calls: typeIntoPcs([{ device: pc.name, commands: [line, 'show ip', ...check] }]),
      };
    }
    const output = turn.outputOf(0, pc.name);
    const isSet =
      output.includes(`IP/MASK     : ${address}/${length}`) || output.includes(`${pc.name} : ${address}`);
    const verdict = isSet
      ? turn.say(`${pc.name} now has ${address}/${length}.`, `${pc.name} 的地址现在是 ${address}/${length}。`)
      : turn.say(`${pc.name} did not take the address.`, `${pc.name} 没有接受这个地址。`);
    return answer(`${verdict}\n\n${block(output)}`);
  },
});
