import { MAX_SESSION_ID_LENGTH } from '@copilot/contracts';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { RunLimitsDto } from '../runs/run-limits.dto';
import { IsText } from '../validation/text-rule';

export const MAX_MESSAGE_CHARS = 200_000;

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
}
