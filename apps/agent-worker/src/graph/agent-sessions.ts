import { withDeadline } from '@copilot/config';
import { RunError, TOPOLOGY_TIMEOUT_MS, toCopilotMode, type ModelSettings } from '@copilot/contracts';
import { Gns3Error, readTopology, type LabAccess } from '@copilot/gns3';
import {
  claimedCheckpointer,
  type ClaimedRun,
  type Connection,
  type RunRow,
  type RunsRepository,
  type SkillSetsRepository,
  type ToolCallsRepository,
} from '@copilot/persistence';
import { PAST_RUNS, pastRun, requestedLimits } from '@copilot/limits';
import { promptsOf, promptTopology } from '@copilot/model-request';
import type { ModelFactory } from '../models/model-factory';
import { AgentSession } from './agent-session';
import type { RunContext } from './run-context';
import type { RunRules } from './run-rules';

/** Opens the graph of a claimed run with the model, the lab and the fenced checkpointer it needs. */
export class AgentSessions {
  constructor(
    private readonly models: ModelFactory,
    private readonly lab: LabAccess,
    private readonly gns3Url: string,
    private readonly connection: Connection,
    private readonly toolCalls: ToolCallsRepository,
    private readonly runs: RunsRepository,
    private readonly skills: SkillSetsRepository,
  ) {}

  /** Rejects with RunError when the run's model config cannot be worked with. */
  async open(
    claimed: ClaimedRun,
    {
      rules,
      ...hooks
    }: Pick<RunContext, 'publish' | 'flush' | 'publishOnce' | 'signal' | 'log'> & {
      readonly rules: RunRules;
    },
  ): Promise<AgentSession> {
    const { run, session, claim } = claimed;
    const [{ model, settings, learning }, skills] = await Promise.all([
      this.models.of(run.modelConfigId, hooks.log),
      this.skills.current(),
    ]);
    const context: RunContext = {
      ...hooks,
      clock: rules.clock,
      get limits() {
        return rules.limits;
      },
      refresh: () => rules.refresh(),
      runId: run.runId,
      projectId: run.projectId,
      mode: toCopilotMode(run.copilotMode),
      prompts: promptsOf(skills),
      model,
      settings,
      learning,
      prices: run.prices,
      requested: requestedLimits(run.requestedLimits),
      pastRuns: async () => (await this.runs.usageOfPast(run, PAST_RUNS)).map(pastRun),
      storeAdjustments: async (adjustments) => {
        await this.runs.adjustLimits(claim, adjustments);
        await rules.refresh();
      },
      wantsTitle: session.titleSource === 'default',
      readTopology: (signal) => this.topologyOf(run, settings, signal),
    };
    return new AgentSession(
      claimed,
      context,
      claimedCheckpointer(this.connection.pool, claim),
      this.toolCalls,
    );
  }

  private async topologyOf(run: RunRow, settings: ModelSettings, signal: AbortSignal): Promise<string> {
    try {
      const gns3 = await this.lab.clientFor(run);
      return await withDeadline(signal, TOPOLOGY_TIMEOUT_MS, async (limit) =>
        promptTopology(await readTopology(gns3, run.projectId, limit), settings),
      );
    } catch (error) {
      if (signal.aborted) throw error;
      throw this.toRunError(error);
    }
  }

  private toRunError(error: unknown): RunError {
    const server = new URL(this.gns3Url).host;
    if (error instanceof Gns3Error && !error.retryable) {
      return new RunError(
        'gns3_refused',
        `The GNS3 server at ${server} refused to show the project: ${error.message}. Check that the project is open and that the login may read it.`,
        { cause: error },
      );
    }
    if (error instanceof Gns3Error || limitReached(error)) {
      return new RunError(
        'gns3_unreachable',
        `The GNS3 server at ${server} cannot be reached. Check that it is running and that GNS3_URL is right, then send the message again.`,
        { cause: error },
      );
    }
    return new RunError('internal_error', 'The topology of the lab could not be read.', { cause: error });
  }
}

function limitReached(error: unknown): boolean {
  return error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
}
