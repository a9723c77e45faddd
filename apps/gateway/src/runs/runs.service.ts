import { Injectable } from '@nestjs/common';
import { RunEventReader } from '@copilot/events';
import { RunsRepository, ToolCallsRepository, type RunRow } from '@copilot/persistence';
import type { Identity } from '../auth/caller';
import { notFound } from '../errors/api-error';
import { runResource, type RunResource } from './run-resource.dto';
import type { StreamedRun } from './run-streamer';

@Injectable()
export class RunsService {
  constructor(
    private readonly runs: RunsRepository,
    private readonly toolCalls: ToolCallsRepository,
    private readonly reader: RunEventReader,
  ) {}

  /** The caller's run of that project; any other is not found, whether it exists or not. */
  async find(projectId: string, runId: string, caller: Identity): Promise<StreamedRun> {
    const found = await this.runs.findOwned(runId, { projectId, userId: caller.userId });
    if (!found) throw notFound(`Run '${runId}' not found`);
    return found;
  }

  async resource(projectId: string, runId: string, caller: Identity): Promise<RunResource> {
    const { run, session } = await this.find(projectId, runId, caller);
    const [toolCalls, position] = await Promise.all([this.toolCalls.ofRun(runId), this.queuePosition(run)]);
    return runResource(run, session, toolCalls, position);
  }

  private async queuePosition(run: RunRow): Promise<number | null> {
    if (run.status !== 'queued') return null;
    if (run.enqueueNumber > 0) return 0;
    const [first] = await this.reader.page(run.runId, undefined);
    return first?.event.type === 'run' ? first.event.queue_position : null;
  }
}
