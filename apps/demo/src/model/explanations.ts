import { deviceResults, type DeviceResult } from './device-results';
import type { Language } from './conversation';
import type { PlannedCall } from './step';
import type { Turn } from './turn';

export function introduction(language: Language): string {
  return language === 'zh'
    ? '我是演示模型：一个按规则工作的替身，不是 AI。我能识别十几种请求，并像真正的模型一样用工具操作实验室。'
    : 'I am the demo model: a rule-driven stand-in, not an AI. I recognise a dozen kinds of request and work on the lab with the same tools a real model would use.';
}

/** When nothing of the last step worked: what each device or tool said. Undefined when something did. */
export function explainFailure(turn: Turn): string | undefined {
  const last = turn.conversation.rounds.at(-1) ?? [];
  const results = last.flatMap(deviceResults);
  if (results.length === 0 || results.some((each) => each.isGood)) return undefined;
  const head = turn.say(
    'That did not work, so I stop here. What came back:',
    '这一步没有成功，我先停下。返回的内容：',
  );
  return [head, '', ...results.map((each) => problemLine(each, turn)), '', advice(results, turn)].join('\n');
}

/** One line for each device that did not do what it was asked; empty when all did. */
export function problemLines(results: readonly DeviceResult[], turn: Turn): string[] {
  return results.filter((each) => !each.isGood).map((each) => problemLine(each, turn));
}

function problemLine({ device, problem }: DeviceResult, turn: Turn): string {
  const who = device === '' ? turn.say('The tool', '工具') : `**${device}**`;
  return `- ${who}: ${(problem ?? '').split('\n').join(' ')}`;
}

function advice(results: readonly DeviceResult[], turn: Turn): string {
  const text = results.map((each) => each.problem ?? '').join(' ');
  if (/Invalid input|Ambiguous|Incomplete/i.test(text)) {
    return turn.say(
      'The device refused the command itself: compare its spelling and the mode that it belongs to.',
      '设备拒绝了命令本身：请检查拼写以及该命令所属的模式。',
    );
  }
  if (/not allowed|blocked|refused|mode/i.test(text)) {
    return turn.say(
      'This was refused by policy; I do not try to get round it.',
      '这是被策略拒绝的，我不会设法绕过。',
    );
  }
  if (/unknown/i.test(text)) {
    return turn.say(
      'Look at the device before anything is sent again.',
      '再次下发之前，请先查看设备的当前状态。',
    );
  }
  return turn.say(
    'Check that the node is started and that its console answers, then ask again.',
    '请确认节点已启动、控制台有响应，然后再试一次。',
  );
}

export function missingTool(missing: PlannedCall, turn: Turn): string {
  const offered = [...turn.conversation.tools.keys()].map((name) => `\`${name}\``).join(', ') || '-';
  const refusal = turn.say(
    `For this I would need the tool \`${missing.tool}\`, and the current mode does not allow it. What I may use: ${offered}.`,
    `这件事需要工具 \`${missing.tool}\`，但当前模式不允许使用它。我可以使用的工具：${offered}。`,
  );
  const commands = missing.devices.flatMap(({ device, commands: lines }) => [`! ${device}`, ...lines]);
  if (commands.length === 0) return refusal;
  const offer = turn.say('You can type it yourself:', '您可以自己输入这些命令：');
  return `${refusal}\n\n${offer}\n\n${block(commands.join('\n'))}`;
}

/** The answer when no more calls are wanted: what is known so far, and what is left open. */
export function withoutTools(turn: Turn): string {
  const results = turn.conversation.rounds.flat().flatMap(deviceResults);
  if (results.length === 0) {
    return turn.say(
      'I may not call tools here, and without them I know nothing about the devices.',
      '这里不允许调用工具，没有工具我无法了解设备的情况。',
    );
  }
  const lines = results.map((each) =>
    each.isGood ? `- **${each.device}**: ${turn.say('answered', '已返回结果')}` : problemLine(each, turn),
  );
  const head = turn.say(
    'I was asked to finish without further tool calls. So far:',
    '我被要求不再调用工具，直接收尾。目前的情况：',
  );
  const tail = turn.say('The rest of the plan has not been carried out.', '计划的其余部分没有执行。');
  return [head, '', ...lines, '', tail].join('\n');
}

/** Device output in a block of its own. */
export function block(text: string): string {
  return `\`\`\`\n${text.trim()}\n\`\`\``;
}
