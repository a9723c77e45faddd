import { Injectable } from '@nestjs/common';
import { RunsRepository, ToolCallsRepository, type AcceptedRun } from '@copilot/persistence';
import { ApiError } from '../errors/api-error';
import { RunFollower } from '../runs/run-follower';
import { RunRetelling } from '../runs/run-retelling';
import type { ChatAnswer } from './chat-answer.dto';
import { WholeAnswer } from './whole-answer';

/** Answers clients that do not stream: one JSON when the run has ended. */
@Injectable()
export class AnswerService {
  constructor(
    private readonly follower: RunFollower,
    private readonly retelling: RunRetelling,
    private readonly runs: RunsRepository,
    private readonly toolCalls: ToolCallsRepository,
  ) {}

  /** Nothing if `signal` aborts before; the run goes on. */
  async waitFor({ run, session }: AcceptedRun, signal: AbortSignal): Promise<ChatAnswer | undefined> {
    const whole = await this.answerOf(run.runId, signal);
    if (signal.aborted) return undefined;
    if (!whole.ending)
      throw new ApiError(404, `Run '${run.runId}' not found: it was deleted while it worked.`);
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

  private async answerOf(runId: string, signal: AbortSignal): Promise<WholeAnswer> {
    const whole = new WholeAnswer();
    let isComplete: boolean | undefined;
    for await (const { cursor, event } of this.follower.follow(runId, undefined, signal)) {
      isComplete ??= event.type === 'run';
      isComplete &&= cursor !== undefined;
      whole.add(event);
    }
    const run = isComplete === false ? await this.runs.find(runId) : undefined;
    if (!run || !whole.ending) return whole;
    // The log was lost on the way, and with it what the events said before.
    const retold = new WholeAnswer();
    for (const event of await this.retelling.retell(run)) retold.add(event);
    return retold;
  }
}
