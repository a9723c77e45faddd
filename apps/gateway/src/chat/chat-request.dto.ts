import {
  APPROVAL_TIMEOUT_SECONDS,
  MAX_SESSION_ID_LENGTH,
  MULTITASK_STRATEGIES,
  type ApprovalPolicy,
  type MultitaskStrategy,
} from '@copilot/contracts';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { RunLimitsDto } from '../runs/run-limits.dto';
import { APPROVAL_POLICY_PROPERTY, IsApprovalPolicy } from '../validation/approval-policy';
import { IsText } from '../validation/text-rule';
import { IsWholeNumber } from '../validation/whole-number';

export const MAX_MESSAGE_CHARS = 200_000;

/** What becomes of a run whose client leaves before it has the whole answer. */
export const ON_DISCONNECT = ['continue', 'cancel'] as const;
export type OnDisconnect = (typeof ON_DISCONNECT)[number];

@ApiSchema({ name: 'ChatRequest' })
export class ChatRequestDto extends RunLimitsDto {
  @ApiProperty({ minLength: 1, maxLength: MAX_MESSAGE_CHARS, example: 'Which interfaces of R1 are up?' })
  @IsText({ min: 1, max: MAX_MESSAGE_CHARS, notBlank: true })
  readonly message!: string;

  @ApiProperty({
    type: String,
    required: false,
    nullable: true,
    minLength: 1,
    maxLength: MAX_SESSION_ID_LENGTH,
    description: "Any text of the client's own; an unknown one begins a new session, none gets a UUID",
  })
  @IsOptional()
  @IsText({ min: 1, max: MAX_SESSION_ID_LENGTH, exact: true })
  readonly session_id?: string | null;

  @ApiProperty({ type: Boolean, required: false, default: true, description: 'false: one JSON at the end' })
  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  readonly stream?: boolean | null;

  @ApiProperty({ enum: ['text'], required: false, default: 'text' })
  @IsOptional()
  @IsIn(['text'], { message: 'must be "text"' })
  readonly mode?: 'text' | null;

  @ApiProperty({
    enum: MULTITASK_STRATEGIES,
    required: false,
    nullable: true,
    default: 'enqueue',
    description:
      'While the session has unfinished runs. enqueue: wait behind them. reject: a 409 that names the run in the way. interrupt: they are cancelled, and this one is next',
  })
  @IsOptional()
  @IsIn(MULTITASK_STRATEGIES, { message: `must be one of ${MULTITASK_STRATEGIES.join(', ')}` })
  readonly multitask_strategy?: MultitaskStrategy | null;

  @ApiProperty({
    enum: ON_DISCONNECT,
    required: false,
    nullable: true,
    default: 'continue',
    description:
      'When the client closes the connection of this request before the run has ended. continue: the run goes on. cancel: it is cancelled. Means nothing to POST runs, where nobody waits',
  })
  @IsOptional()
  @IsIn(ON_DISCONNECT, { message: `must be one of ${ON_DISCONNECT.join(', ')}` })
  readonly on_disconnect?: OnDisconnect | null;

  @ApiProperty({
    ...APPROVAL_POLICY_PROPERTY,
    description:
      "Which tool calls wait for a person; adds to the model config's and takes nothing from it. See docs/approvals.md",
  })
  @IsOptional()
  @IsApprovalPolicy()
  readonly approval_policy?: ApprovalPolicy | null;

  @ApiProperty({
    type: 'integer',
    required: false,
    nullable: true,
    minimum: APPROVAL_TIMEOUT_SECONDS.min,
    maximum: APPROVAL_TIMEOUT_SECONDS.max,
    default: APPROVAL_TIMEOUT_SECONDS.byDefault,
    description: 'How long a person may take; what is undecided then is rejected, and the run goes on',
  })
  @IsOptional()
  @IsWholeNumber(APPROVAL_TIMEOUT_SECONDS.min, APPROVAL_TIMEOUT_SECONDS.max)
  readonly approval_timeout_seconds?: number | null;
}
