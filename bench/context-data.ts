import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { contentText, type HistoryMessage } from '@copilot/context-budget';

/** A repeatable stream of numbers in [0, 1). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}

function upTo(chars: number, make: () => string): string {
  const parts: string[] = [];
  for (let length = 0; length < chars;) {
    const part = make();
    parts.push(part);
    length += part.length;
  }
  return parts.join('').slice(0, chars);
}

function pick(random: () => number, items: readonly string[]): string {
  return items[Math.floor(random() * items.length)] ?? '';
}

const ENGLISH =
  'the router checks its neighbours and then writes a new route into table while traffic keeps flowing over backup link because adjacency was lost again'.split(
    ' ',
  );
const CHINESE = ['配置', '路由器', '接口', '的', '，', '。', '测试', '地址', '邻居', '状态', '需要', '检查'];

type MakeText = (chars: number) => string;

/** Ordinary, Chinese, device output, and what is hard: noise and runs without a break. */
export const TEXTS: Record<string, MakeText> = {
  prose: (chars) => {
    const random = randomFrom(1);
    return upTo(chars, () => `${pick(random, ENGLISH)}${random() < 0.1 ? '. ' : ' '}`);
  },
  Chinese: (chars) => {
    const random = randomFrom(2);
    return upTo(chars, () => pick(random, CHINESE));
  },
  'device output': (chars) => {
    const random = randomFrom(3);
    const number = (below: number) => Math.floor(random() * below);
    return upTo(
      chars,
      () =>
        `GigabitEthernet0/${number(48)}   10.${number(256)}.${number(256)}.${number(256)}   YES manual up          up\r\n`,
    );
  },
  'random bytes': (chars) => {
    const random = randomFrom(4);
    const bytes = Uint8Array.from({ length: chars }, () => random() * 256);
    return new TextDecoder().decode(bytes);
  },
  'random letters': (chars) => {
    const random = randomFrom(5);
    return upTo(chars, () => String.fromCharCode(97 + random() * 26));
  },
  'one letter': (chars) => 'a'.repeat(chars),
  'one ^': (chars) => '^'.repeat(chars),
  blanks: (chars) => ' '.repeat(chars),
};

/** A history of about 200 tokens a message: question, call, output, answer. */
export function historyOf(messages: number): HistoryMessage[] {
  const prose = TEXTS['prose']?.(1_000_000) ?? '';
  const output = TEXTS['device output']?.(1_000_000) ?? '';
  const cut = (text: string, index: number, chars: number) =>
    text.slice((index * 997) % 900_000).slice(0, chars);
  return Array.from({ length: messages }, (_, index): HistoryMessage => {
    const id = `m${index}`;
    const callId = `call_${index >> 2}`;
    if (index % 4 === 0) return { role: 'user', id, content: cut(prose, index, 800) };
    if (index % 4 === 1) {
      return {
        role: 'assistant',
        id,
        content: '',
        toolCalls: [{ id: callId, name: 'show', arguments: '{"commands":["show ip interface brief"]}' }],
      };
    }
    if (index % 4 === 2) return { role: 'tool', id, toolCallId: callId, content: cut(output, index, 900) };
    return { role: 'assistant', id, content: cut(prose, index, 1_200), toolCalls: [] };
  });
}

/** The same message for LangChain's own trimming. */
export function toLangChain(message: HistoryMessage): BaseMessage {
  if (message.role === 'user') return new HumanMessage(contentText(message.content));
  if (message.role === 'tool')
    return new ToolMessage({ content: contentText(message.content), tool_call_id: message.toolCallId });
  const tool_calls = message.toolCalls.map(({ id, name }) => ({ id, name, args: {} }));
  return new AIMessage({ content: contentText(message.content), tool_calls });
}
