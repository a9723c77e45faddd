import type { ContextStrategy } from '@copilot/contracts';
import type { ContextReport } from '../prepare/outcome';
import { usedPercent } from './log-lines';

/** The figures of the `context` event, flat as they go over the wire. */
export interface ContextEventFigures {
  readonly system: number;
  readonly base: number;
  readonly topology: number;
  readonly history: number;
  readonly tools: number;
  readonly total: number;
  readonly limit: number;
  readonly limit_k: number;
  readonly percent: number;
  readonly strategy: ContextStrategy;
  readonly output_reserve: number;
  readonly messages_before: number;
  readonly messages_after: number;
  readonly shortened_results: number;
  readonly correction: number;
}

export function contextEventFigures(report: ContextReport): ContextEventFigures {
  return {
    system: report.system,
    base: report.base,
    topology: report.topology,
    history: report.history,
    tools: report.tools,
    total: report.total,
    limit: report.limit,
    limit_k: report.limitK,
    percent: usedPercent(report),
    strategy: report.strategy,
    output_reserve: report.outputReserve,
    messages_before: report.messagesBefore,
    messages_after: report.messagesAfter,
    shortened_results: report.shortenedResults,
    correction: report.correction,
  };
}
