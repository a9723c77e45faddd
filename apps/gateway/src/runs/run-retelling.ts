import { Injectable } from '@nestjs/common';
import { isEnded, type RunEvent } from '@copilot/contracts';
import { RunEventReader } from '@copilot/events';
import { ConversationsRepository, ToolCallsRepository, type RunRow } from '@copilot/persistence';
import { retoldEvents } from './retold-run';

/** Tells of ended runs from Postgres where their event log is gone, or lacks its beginning. */
@Injectable()
export class RunRetelling {
  constructor(
    private readonly reader: RunEventReader,
    private readonly conversations: ConversationsRepository,
    private readonly toolCalls: ToolCallsRepository,
  ) {}

  /** Nothing while the run has not ended, or its log is whole. */
  async instead(run: RunRow): Promise<RunEvent[] | undefined> {
    if (!isEnded(run.status) || (await this.reader.isWhole(run.runId))) return undefined;
    return this.retell(run);
  }

  async retell(run: RunRow): Promise<RunEvent[]> {
    const [messages, calls] = await Promise.all([
      this.conversations.ofRun(run),
      this.toolCalls.ofRun(run.runId),
    ]);
    return retoldEvents({ run, messages, calls });
  }
}
