import { STOP_REASONS, type StopReason, type Usage } from '@copilot/contracts';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { RunErrorDto, UsageDto } from '../runs/run-resource.dto';

@ApiSchema({ name: 'AnsweredToolCall' })
class AnsweredToolCall {
  @ApiProperty()
  readonly id!: string;
  @ApiProperty()
  readonly name!: string;
  @ApiProperty({ description: 'JSON, as the model wrote it' })
  readonly arguments!: string;
  @ApiProperty({ type: String, nullable: true })
  readonly output!: string | null;
}

@ApiSchema({ name: 'ChatAnswer' })
export class ChatAnswer {
  @ApiProperty()
  readonly session_id!: string;
  @ApiProperty({ format: 'uuid' })
  readonly run_id!: string;
  @ApiProperty({ description: "The last model call's text" })
  readonly answer!: string;
  @ApiProperty({ type: [AnsweredToolCall] })
  readonly tool_calls!: readonly AnsweredToolCall[];
  @ApiProperty({ enum: STOP_REASONS, enumName: 'StopReason' })
  readonly stop_reason!: StopReason;
  @ApiProperty({ type: UsageDto })
  readonly usage!: Usage;
  @ApiProperty({ type: RunErrorDto, required: false })
  readonly error?: RunErrorDto;
}
