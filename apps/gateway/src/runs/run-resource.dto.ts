import {
  toolsToApprove,
  RUN_ERROR_CODES,
  RUN_STATUSES,
  STOP_REASONS,
  type RunErrorCode,
  type RunStatus,
  type StopReason,
  type Usage,
} from '@copilot/contracts';
import { effectiveLimitsSchema, requestedLimits } from '@copilot/limits';
import type { LimitsChange, RunRow, SessionRow, ToolCallRow, ToolCallStatus } from '@copilot/persistence';
import { ApiProperty, ApiSchema, PickType } from '@nestjs/swagger';
import { approvalsOf, RunApproval } from './approval-resource.dto';
import { naiveUtc, naiveUtcOrNull } from '../http/naive-utc';
import { EffectiveLimitsDto, RunLimitsDto } from './run-limits.dto';

const TOOL_CALL_STATUSES = [
  'pending',
  'running',
  'succeeded',
  'failed',
  'refused',
  'rejected',
  'skipped',
  'unknown',
] as const;

@ApiSchema({ name: 'Cost' })
class CostDto {
  @ApiProperty({ example: 0.0123 })
  readonly amount!: number;
  @ApiProperty({ example: 'USD' })
  readonly currency!: string;
}

@ApiSchema({ name: 'TokenCounts' })
class TokenCounts {
  @ApiProperty()
  readonly input_tokens!: number;
  @ApiProperty({ description: "Part of the input: read from the provider's cache, where it reports that" })
  readonly cached_input_tokens!: number;
  @ApiProperty()
  readonly output_tokens!: number;
}

/** What a run used, as `done`, the run resource and the whole answer say it. */
@ApiSchema({ name: 'Usage' })
export class UsageDto extends TokenCounts {
  @ApiProperty()
  readonly llm_calls!: number;
  @ApiProperty({ description: 'Calls that were admitted to execution' })
  readonly tool_calls!: number;
  @ApiProperty({ description: 'Calls that were answered without being executed' })
  readonly refused_tool_calls!: number;
  @ApiProperty({ description: 'Further attempts of calls that had failed; not counted as calls' })
  readonly tool_retries!: number;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'tool_calls by tool',
  })
  readonly by_tool!: Readonly<Record<string, number>>;
  @ApiProperty()
  readonly total_tokens!: number;
  @ApiProperty({ description: 'At least one call had no figures of the provider and was counted here' })
  readonly estimated!: boolean;
  @ApiProperty({ type: TokenCounts, description: 'Calls that are no iterations, the title for one' })
  readonly overhead!: TokenCounts;
  @ApiProperty({
    type: CostDto,
    nullable: true,
    description: 'Of all tokens, the overhead included; null where the model config has no prices',
  })
  readonly cost!: CostDto | null;
}

@ApiSchema({ name: 'RunError' })
export class RunErrorDto {
  @ApiProperty({ enum: RUN_ERROR_CODES, enumName: 'RunErrorCode' })
  readonly code!: RunErrorCode;
  @ApiProperty()
  readonly message!: string;
}

@ApiSchema({ name: 'RunToolCall' })
class RunToolCall {
  @ApiProperty()
  readonly id!: string;
  @ApiProperty()
  readonly name!: string;
  @ApiProperty({ enum: TOOL_CALL_STATUSES })
  readonly status!: ToolCallStatus;
  @ApiProperty({ description: 'The model call that asked for it, from 1' })
  readonly iteration!: number;
}

@ApiSchema({ name: 'LimitsChange' })
class LimitsChangeDto implements LimitsChange {
  @ApiProperty({ format: 'date-time' })
  readonly at!: string;
  @ApiProperty({ description: 'Id of the user' })
  readonly by!: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'object', properties: { from: {}, to: {} } },
    example: { max_tool_calls: { from: null, to: 5 } },
  })
  readonly changes!: LimitsChange['changes'];
}

@ApiSchema({ name: 'Run' })
export class RunResource {
  @ApiProperty({ format: 'uuid' })
  readonly run_id!: string;
  @ApiProperty()
  readonly session_id!: string;
  @ApiProperty({ format: 'uuid' })
  readonly project_id!: string;
  @ApiProperty({ enum: RUN_STATUSES, enumName: 'RunStatus' })
  readonly status!: RunStatus;
  @ApiProperty({
    description:
      'How often a worker has taken the run: at its start, and again whenever its tools have ended or it was handed on',
  })
  readonly attempt!: number;
  @ApiProperty({ enum: STOP_REASONS, enumName: 'StopReason', nullable: true, description: 'Why it ended' })
  readonly stop_reason!: StopReason | null;
  @ApiProperty({ type: RunErrorDto, nullable: true })
  readonly error!: RunErrorDto | null;
  @ApiProperty({
    type: UsageDto,
    nullable: true,
    description: 'So far; null before its first step has ended',
  })
  readonly usage!: Usage | null;
  @ApiProperty({ type: RunLimitsDto, description: 'As the request gave them' })
  readonly requested_limits!: RunLimitsDto;
  @ApiProperty({ type: EffectiveLimitsDto, description: 'As they hold, defaults included' })
  readonly effective_limits!: EffectiveLimitsDto;
  @ApiProperty({ type: [LimitsChangeDto], description: 'Changes while it worked, oldest first' })
  readonly limit_changes!: readonly LimitsChange[];
  @ApiProperty({ type: [RunToolCall] })
  readonly tool_calls!: readonly RunToolCall[];
  @ApiProperty({ type: [String], description: 'Tools whose calls a person has to approve' })
  readonly approval_tools!: readonly string[];
  @ApiProperty({ type: [RunApproval], description: 'Calls that a person has to approve, and the decisions' })
  readonly approvals!: readonly RunApproval[];
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'While waiting_approval: what is undecided then is rejected',
  })
  readonly approval_expires_at!: string | null;
  @ApiProperty({ type: String, description: 'UTC without zone', example: '2026-01-31T12:00:00.123000' })
  readonly created_at!: string;
  @ApiProperty({ type: String, nullable: true })
  readonly started_at!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'When somebody cancelled it' })
  readonly cancel_requested_at!: string | null;
  @ApiProperty({ type: String, nullable: true })
  readonly ended_at!: string | null;
  @ApiProperty({
    type: Number,
    nullable: true,
    description:
      'While queued: unfinished runs that were before it on its session when it was accepted; then null',
  })
  readonly queue_position!: number | null;
}

/** A run in a list. */
@ApiSchema({ name: 'RunSummary' })
export class RunSummary extends PickType(RunResource, [
  'run_id',
  'session_id',
  'status',
  'stop_reason',
  'error',
  'usage',
  'created_at',
  'started_at',
  'ended_at',
]) {}

export function runSummary(run: RunRow, sessionId: string): RunSummary {
  return {
    run_id: run.runId,
    session_id: sessionId,
    status: run.status,
    stop_reason: run.stopReason,
    error: errorOf(run),
    usage: run.usage,
    created_at: naiveUtc(run.createdAt),
    started_at: naiveUtcOrNull(run.startedAt),
    ended_at: naiveUtcOrNull(run.endedAt),
  };
}

/** Rows as the resource shows them. */
export function runResource(
  run: RunRow,
  session: SessionRow,
  toolCalls: readonly ToolCallRow[],
  queuePosition: number | null,
): RunResource {
  return {
    run_id: run.runId,
    session_id: session.sessionId,
    project_id: run.projectId,
    status: run.status,
    attempt: run.attempt,
    stop_reason: run.stopReason,
    error: errorOf(run),
    usage: run.usage,
    requested_limits: requestedLimits(run.requestedLimits),
    effective_limits: effectiveLimitsSchema.parse(run.effectiveLimits),
    limit_changes: run.limitChanges,
    tool_calls: toolCalls.map(({ callId, name, status, iteration }) => ({
      id: callId,
      name,
      status,
      iteration,
    })),
    approval_tools: toolsToApprove(run.approvalPolicies),
    approvals: approvalsOf(toolCalls),
    approval_expires_at: naiveUtcOrNull(run.status === 'waiting_approval' ? run.approvalExpiresAt : null),
    created_at: naiveUtc(run.createdAt),
    started_at: naiveUtcOrNull(run.startedAt),
    cancel_requested_at: naiveUtcOrNull(run.cancelRequestedAt),
    ended_at: naiveUtcOrNull(run.endedAt),
    queue_position: queuePosition,
  };
}

export function errorOf(run: RunRow): RunErrorDto | null {
  return run.errorCode === null ? null : { code: run.errorCode, message: run.errorMessage ?? run.errorCode };
}
