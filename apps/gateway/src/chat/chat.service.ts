import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  APPROVAL_TIMEOUT_SECONDS,
  pricesOf,
  storedApprovalPolicy,
  toCopilotMode,
  type CopilotMode,
  type ModelPrices,
} from '@copilot/contracts';
import type { AcceptedRun, ApprovalRules, ModelConfigRow, RunLimits } from '@copilot/persistence';
import { effectiveLimits, requestedLimits, secondsBound, type EffectiveLimits } from '@copilot/limits';
import type { Identity } from '../auth/caller';
import { ProjectGate } from '../auth/project-gate';
import { ApiError, unprocessable } from '../errors/api-error';
import { CallersModels } from '../llm-model-configs/callers-models';
import { UserRates } from '../rate-limits/user-rates';
import { RUN_MAX_SECONDS } from '../runs/run-limiting';
import type { ChatRequestDto } from './chat-request.dto';
import { requestHash } from './request-hash';
import { RunAcceptance } from './run-acceptance';

/** What a message is for: what its project must be opened for, and the mode of the run. */
interface Task {
  readonly purpose: string;
  /** Left out, the model config's. */
  readonly mode?: CopilotMode;
}

const CHAT: Task = { purpose: 'use chat' };
export const INJECTION: Task = { purpose: 'use fault injection', mode: 'troubleshooting_injection' };

interface AcceptOptions {
  readonly task?: Task;
  /** The caller's own name for the request, under which it becomes one run however often it is sent. */
  readonly idempotencyKey?: string | undefined;
}

/** A chat request that may become a run: what it would run with. */
export interface JudgedChat {
  readonly modelConfig: ModelConfigRow;
  readonly copilotMode: CopilotMode;
  readonly model: string;
  /** null where the model config has none. */
  readonly prices: ModelPrices | null;
  readonly limits: RunLimits;
  readonly effective: EffectiveLimits;
}

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
    { task = CHAT, idempotencyKey }: AcceptOptions = {},
  ): Promise<AcceptedRun> {
    await this.rates.assertWithin(caller, 'messages');
    const judged = await this.judge(projectId, caller, request, task);
    const { modelConfig, copilotMode, model, prices, limits } = judged;
    return this.acceptance.accept({
      projectId,
      userId: caller.userId,
      sessionId: request.session_id ?? randomUUID(),
      message: request.message,
      copilotMode,
      modelConfigId: modelConfig.configId,
      model,
      prices,
      limits,
      approval: approvalRules(modelConfig, request),
      multitaskStrategy: request.multitask_strategy ?? 'enqueue',
      idempotency:
        idempotencyKey === undefined
          ? undefined
          : { key: idempotencyKey, requestHash: requestHash(task.purpose, request) },
      gns3Token: caller.gns3Token,
    });
  }

  /** The checks alone, in the same order. */
  async judge(
    projectId: string,
    caller: Identity,
    request: ChatRequestDto,
    task = CHAT,
  ): Promise<JudgedChat> {
    await this.projects.assertOpened(projectId, caller, task.purpose);
    const modelConfig = await this.models.effectiveFor(caller);
    if (!modelConfig) {
      throw new ApiError(400, 'LLM configuration not found. Please configure your LLM settings first.');
    }
    const requested = requestedLimits(request);
    const effective = effectiveLimits(requested, { maxSeconds: this.maxSeconds });
    const { model } = modelConfig.settings;
    return {
      modelConfig,
      model: typeof model === 'string' ? model : '',
      copilotMode: task.mode ?? toCopilotMode(modelConfig.settings.copilot_mode),
      prices: pricesFor(modelConfig, effective),
      limits: { requested, effective, maxSeconds: secondsBound(effective) },
      effective,
    };
  }
}

/** The request cannot lift what the model config asks for: that may be a group's, and the caller only its member. */
function approvalRules({ settings }: ModelConfigRow, request: ChatRequestDto): ApprovalRules {
  const policies = [storedApprovalPolicy(settings.approval_policy), request.approval_policy ?? 'never'];
  return {
    policies: policies.filter((policy) => policy !== 'never'),
    timeoutSeconds: request.approval_timeout_seconds ?? APPROVAL_TIMEOUT_SECONDS.byDefault,
  };
}

/** Rejects with a 422 where a cost is limited that cannot be known. */
function pricesFor(config: ModelConfigRow, { max_cost }: EffectiveLimits): ModelPrices | null {
  const found = pricesOf(config.settings);
  if ('prices' in found) return found.prices;
  if (max_cost === null) return null;
  throw unprocessable(
    `max_cost must be a number above 0 in the currency of a model config with prices, got ${max_cost}: the model config '${config.name}' has no ${found.missing.join(', ')}. Set them with PUT /v3/${ownerPath(config)}/llm-model-configs/${config.configId} (prices are per million tokens), or send the message without max_cost`,
  );
}

function ownerPath({ userId, groupId }: ModelConfigRow): string {
  return groupId === null ? `users/${userId}` : `groups/${groupId}`;
}
