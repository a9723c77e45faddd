import { describe, expect, it } from '@jest/globals';
import type { ContextReport } from '../prepare/outcome';
import { contextEventFigures } from './context-event';
import { callCompletedLine, contextLines, countingLine, limitMissingText } from './log-lines';

const report: ContextReport = {
  model: 'gpt-4o',
  strategy: 'balanced',
  system: 6_124,
  base: 2_804,
  topology: 3_320,
  history: 11_800,
  tools: 1_862,
  total: 19_786,
  toolCount: 8,
  limit: 128_000,
  limitK: 128,
  outputReserve: 32_000,
  messageTokensBefore: 17_924,
  messagesBefore: 15,
  messagesAfter: 15,
  shortenedResults: 0,
  correction: 1,
};

describe('the log lines', () => {
  it('are those of the design, figures included', () => {
    expect(contextLines(report)).toEqual([
      'Tool definitions estimated at ~1862 total tokens (8 tools)',
      "Using database config context limit: 128000 tokens for model 'gpt-4o'",
      'Context prepared: system=6124 (base=2804 + topology=3320) + history=11800 + tools=1862 = 19786 total / 128K limit (15.5%), strategy=balanced',
      'Available for output: ~32000 tokens',
    ]);
    expect(countingLine('cl100k_base')).toBe('Using tiktoken (cl100k_base) for accurate token counting');
    expect(callCompletedLine(2)).toBe('LLM call completed: tool_calls=2');
  });

  it('tell of trimming', () => {
    const trimmed = {
      ...report,
      system: 6_000,
      history: 76_000,
      tools: 8_500,
      messageTokensBefore: 95_000,
      messagesBefore: 50,
      messagesAfter: 25,
    };
    expect(contextLines(trimmed)).toEqual(
      expect.arrayContaining([
        'Tool definitions estimated at ~8500 total tokens (8 tools)',
        'Trimming messages: 95000 → 82000 tokens (model: gpt-4o)',
        'Trimmed 50 → 25 messages',
      ]),
    );
  });

  it('show a whole percentage with its decimal', () => {
    expect(contextLines({ ...report, total: 64_000 }).join('\n')).toContain('(50.0%)');
  });

  it('name the model whose config lacks a limit', () => {
    expect(limitMissingText('gpt-4o')).toMatch(
      /^context_limit is required but not provided for model 'gpt-4o'\. Please configure/,
    );
  });
});

describe('the context event', () => {
  it('has the same figures, flat', () => {
    expect(contextEventFigures(report)).toEqual({
      system: 6_124,
      base: 2_804,
      topology: 3_320,
      history: 11_800,
      tools: 1_862,
      total: 19_786,
      limit: 128_000,
      limit_k: 128,
      percent: 15.5,
      strategy: 'balanced',
      output_reserve: 32_000,
      messages_before: 15,
      messages_after: 15,
      shortened_results: 0,
      correction: 1,
    });
  });
});
