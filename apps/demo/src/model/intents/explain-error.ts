import { deviceResults } from '../device-results';
import { answer, intent } from '../intent';
import type { Turn } from '../turn';

export const explainError = intent<true>({
  name: 'explain-error',
  title: { en: 'Explaining an error', zh: '错误解释' },
  recognise: (turn) =>
    /(explain|why|what).*(error|fail|wrong|refus)|(解释|为什么|什么原因).*(错误|失败|报错)|(错误|失败|报错).*(解释|为什么|原因)/i.test(
      turn.text,
    ) || undefined,
  plan: (_wanted, turn) => answer(explain(turn)),
});

const KNOWN: readonly { pattern: RegExp; en: string; zh: string }[] = [
  {
    pattern: /Invalid input detected/,
    en: 'The device does not know the word above the caret: a spelling mistake, or a command of another mode.',
    zh: '设备不认识插入符（^）上方的单词：拼写有误，或者该命令属于其他模式。',
  },
  {
    pattern: /Ambiguous command/,
    en: 'The abbreviation fits more than one command; write more letters of it.',
    zh: '缩写对应多个命令，请多写几个字母。',
  },
  {
    pattern: /Incomplete command/,
    en: 'The command needs further words after it.',
    zh: '命令后面还缺少参数。',
  },
  {
    pattern: /overlaps with/,
    en: 'Another interface of the same router already has an address in that subnet.',
    zh: '同一台路由器的另一个接口已经使用了该网段。',
  },
  {
    pattern: /Bad mask/,
    en: 'The address is the first or last of its subnet, which no interface may have.',
    zh: '该地址是子网的网络地址或广播地址，不能配置在接口上。',
  },
  {
    pattern: /0 percent|not reachable|timeout|unreachable/i,
    en: 'The ping had no answer: an interface on the way is down or has no address, or a route there or back is missing.',
    zh: 'ping 没有得到回应：途中的接口未启用或没有地址，或者缺少去程或回程路由。',
  },
  {
    pattern: /not allowed|forbidden|blocked/i,
    en: 'The command is on the list of commands that may not be run here; the device has not seen it.',
    zh: '该命令在禁止列表中，设备并没有收到它。',
  },
  {
    pattern: /stopped|refused|not (?:be )?reach|connect/i,
    en: 'The console could not be used: the node is stopped or still booting.',
    zh: '控制台无法使用：节点已停止或仍在启动。',
  },
];

function explain(turn: Turn): string {
  const results = turn.conversation.earlier.flatMap(deviceResults).reverse();
  const last = results.find(
    (each) => !each.isGood || KNOWN.slice(0, 6).some(({ pattern }) => pattern.test(each.output)),
  );
  if (!last)
    return turn.say(
      'I see no error in what the tools have returned so far.',
      '到目前为止，工具返回的内容里没有错误。',
    );
  const text = `${last.problem ?? ''}\n${last.output}`;
  const known = KNOWN.find(({ pattern }) => pattern.test(text));
  const line = text.split('\n').find((each) => known?.pattern.test(each)) ?? text.trim().split('\n')[0] ?? '';
  const meaning = known
    ? turn.say(known.en, known.zh)
    : turn.say('I have no rule for this message.', '我没有解释这条信息的规则。');
  const who = last.device === '' ? turn.say('a tool', '工具') : last.device;
  return `${turn.say('The last error came from', '最近一次错误来自')} **${who}**:\n\n> ${line.trim()}\n\n${meaning}`;
}
