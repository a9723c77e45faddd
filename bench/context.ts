import { writeFile } from 'node:fs/promises';
import { type BaseMessage, SystemMessage, trimMessages } from '@langchain/core/messages';
import {
  type HistoryMessage,
  MessageCounter,
  prepareContextAsync,
  prepareContext,
  tokenCounter,
  type ContextRequest,
} from '@copilot/context-budget';
import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import { get_encoding } from 'tiktoken';
import { historyOf, TEXTS, toLangChain } from './context-data';
import { longestBlockMs, measure } from './lib/measure';
import { json, milliseconds, type Row, table } from './lib/report';

/**
 * Counting and preparation of a context against what else could do it, in one run on one machine.
 * `npx tsx bench/context.ts [--quick] [--json FILE]`; `--quick` leaves the 10 MB texts out.
 */
const OURS = 'ours';
const SIZES = process.argv.includes('--quick') ? [10_000, 1_000_000] : [10_000, 1_000_000, 10_000_000];
/** A contender that is expected to take longer for one measurement is left out, and the table says so. */
const MAX_EXPECTED_MS = 20_000;
/** Length of the first text that a contender is tried on. */
const TRIAL_CHARS = 1_000;
const SLOW_TRIAL_MS = 20;

/** A worker prepares all day long: what is wanted is its time once the engine has compiled everything. */
const MANY = { warmUps: 50, repetitions: 100, maxMs: 8_000 };

const yieldNow = () => new Promise<void>((resolve) => setImmediate(resolve));
const ours = tokenCounter();
const plain = new Tiktoken(cl100k);
const wasm = get_encoding('cl100k_base');

const COUNTERS: Record<string, (text: string) => number> = {
  [OURS]: (text) => ours.count(text),
  'js-tiktoken': (text) => plain.encode(text, [], []).length,
  'gpt-tokenizer': (text) => countTokens(text, { disallowedSpecial: new Set() }),
  'tiktoken (wasm)': (text) => wasm.encode(text, [], []).length,
};

interface Trial {
  readonly chars: number;
  /** Time of the first count, before any cache of the contender's own knows the text. */
  readonly firstMs: number;
}

function tryOnce(count: (text: string) => number, text: string): Trial {
  const started = performance.now();
  count(text);
  return { chars: text.length, firstMs: performance.now() - started };
}

/** From a shorter text: in proportion, or, where that one was slow already, with the square of the length. */
function expectedMs({ chars, firstMs }: Trial, nextChars: number): number {
  return firstMs * (nextChars / chars) ** (firstMs > SLOW_TRIAL_MS ? 2 : 1);
}

async function countingRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [kind, make] of Object.entries(TEXTS)) {
    for (const [contender, count] of Object.entries(COUNTERS)) {
      let trial = tryOnce(count, make(TRIAL_CHARS));
      for (const chars of SIZES) {
        const task = `count ${kind}, ${chars / 1_000} K chars`;
        const expected = contender === OURS ? 0 : expectedMs(trial, chars);
        if (expected > MAX_EXPECTED_MS) {
          rows.push(leftOut(task, contender, expected));
          continue;
        }
        const text = make(chars);
        try {
          trial = tryOnce(count, text);
          rows.push(await countingRow(task, contender, count, text));
        } catch (error) {
          // The wasm build stops with a trap on very long runs.
          rows.push({ task, contender, result: undefined, note: `failed: ${String(error)}` });
          break;
        }
      }
    }
  }
  return rows.toSorted((first, second) => first.task.localeCompare(second.task, 'en', { numeric: true }));
}

function leftOut(task: string, contender: string, expected: number): Row {
  return {
    task,
    contender,
    result: undefined,
    note: `left out, about ${Math.round(expected / 1_000)} s expected`,
  };
}

async function countingRow(
  task: string,
  contender: string,
  count: (text: string) => number,
  text: string,
): Promise<Row> {
  const result = await measure(count, () => text, { warmUps: 1, repetitions: 3, maxMs: 2_000 });
  if (contender !== OURS) return { task, contender, result };
  const block = await longestBlockMs(() => ours.countAsync(text, yieldNow));
  return { task, contender, result, note: `${count(text)} tokens, longest block ${milliseconds(block)}` };
}

function requestOf(messages: readonly HistoryMessage[]): ContextRequest {
  return {
    messages,
    prompt: { template: 'You operate a network lab.' },
    tools: [],
    config: { model: 'bench', contextLimitK: 128, strategy: 'balanced' },
  };
}

async function preparationRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const messages of [50, 1_000, 5_000]) {
    const task = `prepare ${messages} messages`;
    const history = historyOf(messages);
    const request = requestOf(history);
    const cold = await measure(
      (counter) => prepareContext(request, counter),
      () => new MessageCounter(ours),
    );
    const block = await longestBlockMs(() =>
      prepareContextAsync(request, new MessageCounter(ours), yieldNow),
    );
    const warm = new MessageCounter(ours);
    const { length } = history.map((message) => warm.countMessage(message));
    const tokens = warm.countMessages(history);
    rows.push({
      task,
      contender: OURS,
      result: cold,
      note: `${tokens} tokens in ${length} messages, longest block ${milliseconds(block)}`,
    });
    const copies = () => requestOf(structuredClone(history));
    rows.push({
      task,
      contender: 'ours, unchanged history',
      result: await measure((again) => prepareContext(again, warm), copies, MANY),
    });
    rows.push(await trimMessagesRow(task, history, cold.medianMs, tokens));
  }
  return rows;
}

/** LangChain's trimming recounts the list for every message that it drops; its time is predicted from that. */
async function trimMessagesRow(
  task: string,
  history: readonly HistoryMessage[],
  oneCountMs: number,
  tokens: number,
): Promise<Row> {
  const contender = 'trimMessages, same counter';
  const budget = 96_000;
  const dropped = Math.max(0, Math.round(history.length * (1 - budget / tokens)));
  const expected = oneCountMs * (dropped + 1);
  if (expected > MAX_EXPECTED_MS) {
    return leftOut(task, contender, expected);
  }
  const messages = [new SystemMessage('You operate a network lab.'), ...history.map(toLangChain)];
  const counted = (list: BaseMessage[]) =>
    list.reduce((total, message) => total + 4 + ours.count(message.text), 0);
  const trim = () =>
    trimMessages(messages, {
      maxTokens: budget,
      tokenCounter: counted,
      strategy: 'last',
      includeSystem: true,
      startOn: 'human',
    });
  return {
    task,
    contender,
    result: await measure(trim, () => undefined, { warmUps: 0, repetitions: 1, maxMs: 0 }),
  };
}

const rows = [...(await countingRows()), ...(await preparationRows())];
const jsonFlag = process.argv.indexOf('--json');
const file = jsonFlag < 0 ? undefined : process.argv[jsonFlag + 1];
if (file) await writeFile(file, json('context', rows));
console.log(table(rows, OURS));
