import { showOn, typeIntoPcs } from '../calls';
import { interfaceRows, pingScore } from '../device-results';
import { block } from '../explanations';
import { answer, intent } from '../intent';
import { addresses } from '../phrases';
import type { LabNode } from '../lab-view';
import type { PlannedCall, Step } from '../step';
import type { Turn } from '../turn';

interface PingPhrase {
  readonly from: LabNode | undefined;
  readonly target: string | LabNode;
}

export const pingTest = intent<PingPhrase>({
  name: 'ping-test',
  title: { en: 'Ping test', zh: '连通性测试' },
  recognise: (turn) => {
    if (!/\bping|\breach|connectivity|连通|可达/i.test(turn.text)) return undefined;
    const named = turn.named();
    const [address] = addresses(turn.text);
    if (address !== undefined) return { from: named[0] ?? turn.routers()[0], target: address };
    const [first, second] = inDirection(turn.text, named);
    return second ? { from: first, target: second } : undefined;
  },
  plan: ({ from, target }, turn) => {
    if (!from || from.kind === 'other') {
      return answer(
        turn.say(
          'Tell me which router or PC the ping should start from.',
          '请告诉我从哪台路由器或 PC 发起 ping。',
        ),
      );
    }
    if (typeof target === 'string')
      return turn.stage === 0 ? send(from, target, turn) : report(from, target, 0, turn);
    if (turn.stage === 0) return lookUp(target, turn);
    const address = addressOf(target, turn);
    if (address === undefined) {
      return answer(
        turn.say(
          `${target.name} has no address yet, so there is nothing to ping.`,
          `${target.name} 还没有地址，没有可以 ping 的目标。`,
        ),
      );
    }
    return turn.stage === 1 ? send(from, address, turn) : report(from, address, 1, turn);
  },
});

/** "ping R2 from R1" and "从 R1 ping R2" both start at R1. */
function inDirection(text: string, named: readonly LabNode[]): readonly (LabNode | undefined)[] {
  const [first, second] = named;
  const start = /\bfrom\s+([\w.-]+)/i.exec(text)?.[1]?.toLowerCase();
  return second && start === second.name.toLowerCase() ? [second, first] : [first, second];
}

export function pingCalls(from: LabNode, address: string): PlannedCall[] {
  const commands = [{ device: from.name, commands: [`ping ${address}`] }];
  return from.kind === 'pc' ? typeIntoPcs(commands) : showOn(commands);
}

function send(from: LabNode, address: string, turn: Turn): Step {
  return {
    kind: 'calls',
    say: turn.say(`I ping ${address} from ${from.name}.`, `我从 ${from.name} ping ${address}。`),
    calls: pingCalls(from, address),
  };
}

function lookUp(target: LabNode, turn: Turn): Step {
  const say = turn.say(`First I look up the address of ${target.name}.`, `先查 ${target.name} 的地址。`);
  const command = {
    device: target.name,
    commands: [target.kind === 'pc' ? 'show ip' : 'show ip interface brief'],
  };
  return { kind: 'calls', say, calls: target.kind === 'pc' ? typeIntoPcs([command]) : showOn([command]) };
}

function addressOf(target: LabNode, turn: Turn): string | undefined {
  const output = turn.outputOf(0, target.name);
  const [, pcAddress] = /^IP\/MASK\s*:\s*([\d.]+)\//m.exec(output) ?? [];
  if (pcAddress !== undefined) return pcAddress === '0.0.0.0' ? undefined : pcAddress;
  const up = interfaceRows(output).filter((row) => row.protocol === 'up' && row.address !== undefined);
  const physical = up.filter((row) => !row.name.startsWith('Loopback'));
  return (physical[0] ?? up[0])?.address;
}

function report(from: LabNode, address: string, stage: number, turn: Turn): Step {
  return answer(
    `${pingVerdict(from.name, address, turn.outputOf(stage, from.name), turn)}\n\n${block(turn.outputOf(stage, from.name))}`,
  );
}

/** One sentence on a ping's outcome. A single loss at the start is ARP, not a fault. */
export function pingVerdict(from: string, address: string, output: string, turn: Turn): string {
  const score = pingScore(output);
  if (!score) {
    return turn.say(
      `I cannot read the outcome of the ping from ${from} to ${address}.`,
      `我无法从输出中判断 ${from} 到 ${address} 的 ping 结果。`,
    );
  }
  const figure = `${score.received}/${score.sent}`;
  if (score.received === 0) {
    return turn.say(
      `**${from} does not reach ${address}** (${figure} answered). Look at the interface state on both ends, the masks, and the route back.`,
      `**${from} 无法到达 ${address}**（收到 ${figure}）。请检查两端的接口状态、掩码以及回程路由。`,
    );
  }
  const note =
    score.received < score.sent
      ? turn.say(' The lost packet at the start is ARP.', ' 开头丢失的包是 ARP 造成的。')
      : '';
  return turn.say(
    `**${from} reaches ${address}** (${figure} answered).${note}`,
    `**${from} 可以到达 ${address}**（收到 ${figure}）。${note}`,
  );
}
