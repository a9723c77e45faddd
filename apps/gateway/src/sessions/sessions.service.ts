import { Injectable } from '@nestjs/common';
import { SessionsRepository, type SessionKey } from '@copilot/persistence';
import type { Identity } from '../auth/caller';
import { RunLogs } from '../events/run-logs';
import { ProjectGate } from '../auth/project-gate';
import { RunCancelling, type Canceller } from '../runs/run-cancelling';
import { runSummary, type RunSummary } from '../runs/run-resource.dto';
import { emptyHistory, historyResource } from './history';
import type { HistoryResource } from './history-resource.dto';
import { sessionResource, type SessionResource } from './session-resource.dto';

/** The caller's sessions in a project. Another user's session is as unknown as one that does not exist. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly projects: ProjectGate,
    private readonly sessions: SessionsRepository,
    private readonly logs: RunLogs,
    private readonly cancelling: RunCancelling,
  ) {}

  async list(projectId: string, caller: Identity, copilotMode?: string): Promise<SessionResource[]> {
    await this.projects.assertOpened(projectId, caller, 'access chat sessions');
    const rows = await this.sessions.list({ projectId, userId: caller.userId }, copilotMode);
    return rows.map(sessionResource);
  }

  async history(
    projectId: string,
    sessionId: string,
    caller: Identity,
    limit: number,
  ): Promise<HistoryResource> {
    await this.projects.assertOpened(projectId, caller, 'access chat history');
    const history = await this.sessions.history(keyOf(projectId, sessionId, caller));
    return history ? historyResource(history, limit) : emptyHistory(sessionId);
  }

  async runs(projectId: string, sessionId: string, caller: Identity, limit: number): Promise<RunSummary[]> {
    await this.projects.assertOpened(projectId, caller, 'access chat sessions');
    const rows = await this.sessions.runs(keyOf(projectId, sessionId, caller), limit);
    return rows.map((run) => runSummary(run, sessionId));
  }

  async rename(
    projectId: string,
    sessionId: string,
    caller: Identity,
    title: string,
  ): Promise<SessionResource> {
    await this.projects.assertOpened(projectId, caller, 'rename chat sessions');
    return sessionResource(await this.sessions.rename(keyOf(projectId, sessionId, caller), title));
  }

  async pin(
    projectId: string,
    sessionId: string,
    caller: Identity,
    pinned: boolean,
  ): Promise<SessionResource> {
    await this.projects.assertOpened(projectId, caller, pinned ? 'pin chat sessions' : 'unpin chat sessions');
    return sessionResource(await this.sessions.pin(keyOf(projectId, sessionId, caller), pinned));
  }

  /** Ends what is unfinished on the session; nothing to do for an unknown one. */
  async abort(projectId: string, sessionId: string, caller: Identity): Promise<void> {
    await this.projects.assertOpened(projectId, caller, 'abort chat session');
    await this.cancelRuns(keyOf(projectId, sessionId, caller), 'abort');
  }

  /** Unfinished runs are ended first, so that no worker goes on with what nobody can see any more. */
  async delete(projectId: string, sessionId: string, caller: Identity): Promise<void> {
    await this.projects.assertOpened(projectId, caller, 'delete chat sessions');
    const key = keyOf(projectId, sessionId, caller);
    await this.cancelRuns(key, 'delete-session');
    await this.sessions.delete(key, (runs) => this.logs.forget(runs));
  }

  private async cancelRuns(key: SessionKey, source: Canceller['source']): Promise<void> {
    const runIds = await this.sessions.unfinishedRuns(key);
    await Promise.all(runIds.map((runId) => this.cancelling.cancel(runId, { userId: key.userId, source })));
  }
}

function keyOf(projectId: string, sessionId: string, { userId }: Identity): SessionKey {
  return { projectId, sessionId, userId };
}
