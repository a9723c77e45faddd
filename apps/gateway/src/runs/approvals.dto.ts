import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { z } from 'zod';

export const DECISIONS = ['approve', 'edit', 'reject'] as const;
const MAX_DECISIONS = 200;
const MAX_REASON_CHARS = 2_000;

const at = { code: 'custom' as const, path: ['arguments'] };
const decisionSchema = z
  .object({
    tool_call_id: z.string().min(1),
    decision: z.enum(DECISIONS),
    arguments: z.record(z.string(), z.unknown()).nullish(),
    reason: z.string().trim().min(1).max(MAX_REASON_CHARS).nullish(),
  })
  .superRefine(({ decision, arguments: args }, context) => {
    const given = args !== undefined && args !== null;
    if (decision === 'edit' && !given)
      context.addIssue({ ...at, message: 'edit needs the new arguments, an object' });
    if (decision !== 'edit' && given) context.addIssue({ ...at, message: 'only edit takes arguments' });
  });

const decisionsSchema = z
  .array(decisionSchema)
  .min(1)
  .max(MAX_DECISIONS)
  .refine((list) => new Set(list.map((one) => one.tool_call_id)).size === list.length, {
    message: 'a call is named twice',
  });
export type CallDecision = z.output<typeof decisionSchema>;

@ApiSchema({ name: 'CallDecision' })
class CallDecisionDto {
  @ApiProperty({ description: 'As `approval_required` and the run name it' })
  readonly tool_call_id!: string;
  @ApiProperty({ enum: DECISIONS })
  readonly decision!: (typeof DECISIONS)[number];
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'With edit, and only then: all arguments as the call is to be executed with',
    example: { device_configs: [{ device_name: 'R1', config_commands: ['ip host lab 192.0.2.1'] }] },
  })
  readonly arguments?: Readonly<Record<string, unknown>> | null;
  @ApiProperty({
    type: String,
    required: false,
    nullable: true,
    minLength: 1,
    maxLength: MAX_REASON_CHARS,
    description: 'Of a rejection the model gets to read it; of any decision it is kept',
  })
  readonly reason?: string | null;
}

/** What a person decides of calls that wait. */
@ApiSchema({ name: 'Approvals' })
export class ApprovalsDto {
  @ApiProperty({ type: [CallDecisionDto], minItems: 1, maxItems: MAX_DECISIONS })
  @ValidateBy({
    name: 'isDecisions',
    validator: {
      validate: (value: unknown) => decisionsSchema.safeParse(value).success,
      defaultMessage: (validated) => faultOf(validated?.value),
    },
  })
  readonly calls!: readonly CallDecisionDto[];
}

/** The decisions of a body that the rules above have let through. */
export function decisionsOf({ calls }: ApprovalsDto): CallDecision[] {
  return decisionsSchema.parse(calls);
}

function faultOf(value: unknown): string {
  const issue = decisionsSchema.safeParse(value).error?.issues[0];
  const path = issue ? ['calls', ...issue.path.map(String)].join('.') : 'calls';
  return `must be a list of 1 to ${MAX_DECISIONS} decisions {tool_call_id, decision: ${DECISIONS.join(', ')}, arguments with edit, reason of up to ${MAX_REASON_CHARS} characters} (${path}: ${issue?.message ?? 'not valid'})`;
}
