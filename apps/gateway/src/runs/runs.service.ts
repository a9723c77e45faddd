import { Injectable } from '@nestjs/common';
import { RunsRepository, ToolCallsRepository } from '@copilot/persistence';
import type { Identity } from '../auth/caller';
import { ProjectGate } from '../auth/project-gate';
import { notFound } from '../errors/api-error';
import { runResource, type RunResource } from './run-resource.dto';
import type { StreamedRun } from './run-streamer';

@Injectable()
export class RunsService {
  constructor(
    private readonly projects: ProjectGate,
    private readonly runs: RunsRepository,
    private readonly toolCalls: ToolCallsRepository,
  ) {}

  /** The caller's run of that project; any other is not found, whether it exists or not. */
  async find(projectId: string, runId: string, caller: Identity): Promise<StreamedRun> {
    await this.projects.assertVisible(projectId, caller);
    const found = await this.runs.findOwned(runId, { projectId, userId: caller.userId });
    if (!found) throw notFound(`Run '${runId}' not found`);
    return found;
  }

  async resource(projectId: string, runId: string, caller: Identity): Promise<RunResource> {
    const { run, session } = await this.find(projectId, runId, caller);
    const [toolCalls, position] = await Promise.all([
      this.toolCalls.ofRun(runId),
      run.status === 'queued' ? this.runs.positionInLine(run) : null,
    ]);
    return runResource(run, session, toolCalls, position);
  }
}
