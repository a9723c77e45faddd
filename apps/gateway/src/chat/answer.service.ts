import { Injectable } from '@nestjs/common';
import { ToolCallsRepository, type AcceptedRun } from '@copilot/persistence';
import { ApiError } from '../errors/api-error';
import { RunFollower } from '../runs/run-follower';
import type { ChatAnswer } from './chat-answer.dto';
import { WholeAnswer } from './whole-answer';

/** Answers clients that do not stream: one JSON when the run has ended. */
@Injectable()
export class AnswerService {
  constructor(
    private readonly follower: RunFollower,
    private readonly toolCalls: ToolCallsRepository,
  ) {}

  /** Nothing if `signal` aborts before; the run goes on. */
  async waitFor({ run, session }: AcceptedRun, signal: AbortSignal): Promise<ChatAnswer | undefined> {
    const whole = new WholeAnswer();
    for await (const { event } of this.follower.follow(run.runId, undefined, signal)) whole.add(event);
    if (signal.aborted) return undefined;
    if (!whole.ending) {
      throw new ApiError(
        503,
        `The events of run '${run.runId}' were lost. The run goes on; ask for the run itself.`,
      );
    }
    const calls = await this.toolCalls.ofRun(run.runId);
    return {
      session_id: session.sessionId,
      run_id: run.runId,
      answer: whole.answer,
      tool_calls: calls.map((call) => ({
        id: call.callId,
        name: call.name,
        arguments: call.arguments,
        output: call.output,
      })),
      stop_reason: whole.ending.stopReason,
      usage: whole.ending.usage,
      ...(whole.error ? { error: whole.error } : {}),
    };
  }
}
