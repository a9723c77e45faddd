import type { Encoding } from '../counting/token-counter';
import type { ContextReport } from '../prepare/outcome';

/** Share of the window that a request takes, in percent with one decimal. */
export function usedPercent({ total, limit }: ContextReport): number {
  return Math.round((total / limit) * 1_000) / 10;
}

/** Said once a process and encoding. */
export function countingLine(encoding: Encoding): string {
  return `Using tiktoken (${encoding}) for accurate token counting`;
}

/** The lines before a model call, in order; their texts are fixed by the design. */
export function contextLines(report: ContextReport): string[] {
  return [
    toolsLine(report),
    limitLine(report),
    ...trimmingLines(report),
    preparedLine(report),
    outputLine(report),
  ];
}

export function toolsLine({ tools, toolCount }: ContextReport): string {
  return `Tool definitions estimated at ~${tools} total tokens (${toolCount} tools)`;
}

export function limitLine({ limit, model }: ContextReport): string {
  return `Using database config context limit: ${limit} tokens for model '${model}'`;
}

/** Two lines when something was left out or shortened, none otherwise. */
export function trimmingLines(report: ContextReport): string[] {
  const { messageTokensBefore, system, history, messagesBefore, messagesAfter, model, shortenedResults } =
    report;
  if (messagesAfter === messagesBefore && shortenedResults === 0) return [];
  return [
    `Trimming messages: ${messageTokensBefore} → ${system + history} tokens (model: ${model})`,
    `Trimmed ${messagesBefore} → ${messagesAfter} messages`,
  ];
}

export function preparedLine(report: ContextReport): string {
  const { system, base, topology, history, tools, total, limitK, strategy } = report;
  return (
    `Context prepared: system=${system} (base=${base} + topology=${topology}) + history=${history} + tools=${tools}` +
    ` = ${total} total / ${limitK}K limit (${usedPercent(report).toFixed(1)}%), strategy=${strategy}`
  );
}

export function outputLine({ outputReserve }: ContextReport): string {
  return `Available for output: ~${outputReserve} tokens`;
}

/** The line after a model call. */
export function callCompletedLine(toolCalls: number): string {
  return `LLM call completed: tool_calls=${toolCalls}`;
}

/** The text for a config without a usable `context_limit` that reaches the agent. */
export function limitMissingText(model: string): string {
  return (
    `context_limit is required but not provided for model '${model}'. ` +
    'Please configure context_limit in your LLM model configuration. ' +
    "Refer to the model provider's documentation for the current context window size."
  );
}
