import { Injectable } from '@nestjs/common';
import { withDeadline } from '@copilot/config';
import { isEnded } from '@copilot/contracts';
import { RunEventReader } from '@copilot/events';
import { RunsRepository, ToolCallsRepository } from '@copilot/persistence';
import type { Identity } from '../auth/caller';
import { ProjectGate } from '../auth/project-gate';
import { notFound } from '../errors/api-error';
import { decisionsOf, type ApprovalsDto } from './approvals.dto';
import { RunApproving } from './run-approving';
import { RunCancelling } from './run-cancelling';
import { RunLimiting } from './run-limiting';
import type { RunLimitsDto } from './run-limits.dto';
import { runResource, type RunResource } from './run-resource.dto';
import type { StreamedRun } from './run-streamer';

@Injectable()
export class RunsService {
  constructor(
    private readonly projects: ProjectGate,
    private readonly runs: RunsRepository,
    private readonly toolCalls: ToolCallsRepository,
    private readonly approving: RunApproving,
    private readonly cancelling: RunCancelling,
    private readonly limiting: RunLimiting,
    private readonly reader: RunEventReader,
  ) {}

  /** The caller's run of that project; any other is not found, whether it exists or not. */
  async find(projectId: string, runId: string, caller: Identity): Promise<StreamedRun> {
    await this.projects.assertVisible(projectId, caller);
    const found = await this.runs.findOwned(runId, { projectId, userId: caller.userId });
    if (!found) throw notFound(`Run '${runId}' not found`);
    return found;
  }

  /** Resolves when the run has ended, the time is over, or the caller has gone. */
  async untilEnd(
    projectId: string,
    runId: string,
    caller: Identity,
    seconds: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { run } = await this.find(projectId, runId, caller);
    if (seconds === 0 || isEnded(run.status)) return;
    await withDeadline(signal, seconds * 1_000, (limit) => this.reader.untilDone(runId, limit));
  }

  /** Ends the run if it has not ended, and answers how it stands then. */
  async cancel(projectId: string, runId: string, caller: Identity): Promise<RunResource> {
    await this.find(projectId, runId, caller);
    await this.cancelling.cancel(runId, { userId: caller.userId, source: 'cancel' });
    return this.resource(projectId, runId, caller);
  }

  /** Changes limits of an unfinished run, and answers how it stands then. */
  async changeLimits(
    projectId: string,
    runId: string,
    asked: RunLimitsDto,
    caller: Identity,
  ): Promise<RunResource> {
    await this.find(projectId, runId, caller);
    await this.limiting.change(runId, asked, caller);
    return this.resource(projectId, runId, caller);
  }

  /** Records decisions on calls of the run that wait for them, and answers how it stands then. */
  async decide(
    projectId: string,
    runId: string,
    asked: ApprovalsDto,
    caller: Identity,
  ): Promise<RunResource> {
    const { run } = await this.find(projectId, runId, caller);
    await this.approving.decide(run, decisionsOf(asked), caller);
    return this.resource(projectId, runId, caller);
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
