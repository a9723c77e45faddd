import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { toCopilotMode, type CopilotMode } from '@copilot/contracts';
import type { AcceptedRun, RunLimits } from '@copilot/persistence';
import { effectiveLimits, requestedLimits, secondsBound } from '@copilot/limits';
import type { Identity } from '../auth/caller';
import { ProjectGate } from '../auth/project-gate';
import { ApiError } from '../errors/api-error';
import { CallersModels } from '../llm-model-configs/callers-models';
import { UserRates } from '../rate-limits/user-rates';
import type { ChatRequestDto } from './chat-request.dto';
import { RunAcceptance } from './run-acceptance';

/** Injection token of the time that a run may take where its caller does not say. */
export const RUN_MAX_SECONDS = Symbol('RUN_MAX_SECONDS');

/** What a message is for: what its project must be opened for, and the mode of the run. */
interface Task {
  readonly purpose: string;
  /** Left out, the model config's. */
  readonly mode?: CopilotMode;
}

const CHAT: Task = { purpose: 'use chat' };
export const INJECTION: Task = { purpose: 'use fault injection', mode: 'troubleshooting_injection' };

/** Judges a chat message and makes it a run. */
@Injectable()
export class ChatService {
  constructor(
    private readonly rates: UserRates,
    private readonly projects: ProjectGate,
    private readonly models: CallersModels,
    private readonly acceptance: RunAcceptance,
    @Inject(RUN_MAX_SECONDS) private readonly maxSeconds: number,
  ) {}

  /** Rejects with an ApiError for the first check that fails, in the order of the wire contract. */
  async accept(
    projectId: string,
    caller: Identity,
    request: ChatRequestDto,
    task = CHAT,
  ): Promise<AcceptedRun> {
    await this.rates.assertWithin(caller, 'messages');
    await this.projects.assertOpened(projectId, caller, task.purpose);
    const modelConfig = await this.models.effectiveFor(caller);
    if (!modelConfig) {
      throw new ApiError(400, 'LLM configuration not found. Please configure your LLM settings first.');
    }
    return this.acceptance.accept({
      projectId,
      userId: caller.userId,
      sessionId: request.session_id ?? randomUUID(),
      message: request.message,
      copilotMode: task.mode ?? toCopilotMode(modelConfig.settings.copilot_mode),
      modelConfigId: modelConfig.configId,
      limits: this.limitsOf(request),
      gns3Token: caller.gns3Token,
    });
  }

  private limitsOf(request: ChatRequestDto): RunLimits {
    const requested = requestedLimits(request);
    const effective = effectiveLimits(requested, { maxSeconds: this.maxSeconds });
    return { requested, effective, maxSeconds: secondsBound(effective) };
  }
}
