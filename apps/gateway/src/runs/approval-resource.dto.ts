import { parsedArguments, previewOf, type ApprovalState, type DevicePreview } from '@copilot/contracts';
import type { ToolCallRow } from '@copilot/persistence';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { naiveUtcOrNull } from '../http/naive-utc';

const APPROVAL_STATES = ['pending', 'approved', 'rejected', 'expired', 'withdrawn'] as const;

@ApiSchema({ name: 'DevicePreview' })
class DevicePreviewDto implements DevicePreview {
  @ApiProperty()
  readonly device_name!: string;
  @ApiProperty({ type: [String], example: ['+ interface e0/0', '+ no shutdown'] })
  readonly lines!: string[];
}

const ARGUMENTS = { type: 'object', additionalProperties: true } as const;

/** A call that a person has to approve, or has decided of. */
@ApiSchema({ name: 'RunApproval' })
export class RunApproval {
  @ApiProperty()
  readonly tool_call_id!: string;
  @ApiProperty()
  readonly tool_name!: string;
  @ApiProperty({
    enum: APPROVAL_STATES,
    description: '`withdrawn`: the run ended before anybody decided',
  })
  readonly state!: ApprovalState;
  @ApiProperty({ ...ARGUMENTS, description: 'With which it is, or would be, executed' })
  readonly arguments!: Readonly<Record<string, unknown>>;
  @ApiProperty({ ...ARGUMENTS, nullable: true, description: "The model's, where a person changed them" })
  readonly original_arguments!: Readonly<Record<string, unknown>> | null;
  @ApiProperty({
    type: [DevicePreviewDto],
    nullable: true,
    description: 'The lines that each device would get; null for a tool that sends none',
  })
  readonly preview!: readonly DevicePreview[] | null;
  @ApiProperty({ type: String, nullable: true })
  readonly reason!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Id of the user; null where time decided' })
  readonly decided_by!: string | null;
  @ApiProperty({ type: String, nullable: true })
  readonly decided_at!: string | null;
}

export function approvalsOf(calls: readonly ToolCallRow[]): RunApproval[] {
  return calls.flatMap((call) => {
    const { callId, name, approval, originalArguments, approvalReason, decidedBy, decidedAt } = call;
    if (approval === null) return [];
    const args = parsedArguments(call.arguments);
    return {
      tool_call_id: callId,
      tool_name: name,
      state: approval,
      arguments: args,
      original_arguments: originalArguments === null ? null : parsedArguments(originalArguments),
      preview: previewOf(args),
      reason: approvalReason,
      decided_by: decidedBy,
      decided_at: naiveUtcOrNull(decidedAt),
    };
  });
}
