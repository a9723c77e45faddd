import type { SessionRow } from '@copilot/persistence';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { naiveUtc, naiveUtcOrNull } from '../http/naive-utc';

const TIME = { type: String, nullable: true, example: '2026-01-31T12:00:00.123000' } as const;

@ApiSchema({ name: 'SessionMetadata' })
class SessionMetadata {
  @ApiProperty({ description: 'The mode that the session began in', example: 'teaching_assistant' })
  readonly copilot_mode!: string;
}

@ApiSchema({ name: 'ChatSession' })
export class SessionResource {
  @ApiProperty()
  readonly id!: number;
  @ApiProperty({ description: "The client's id of the session" })
  readonly thread_id!: string;
  @ApiProperty()
  readonly user_id!: string;
  @ApiProperty({ format: 'uuid' })
  readonly project_id!: string;
  @ApiProperty()
  readonly title!: string;
  @ApiProperty({ description: 'Messages of the user, answers and tool results' })
  readonly message_count!: number;
  @ApiProperty({ description: 'Model calls, the hidden ones for titles and summaries not among them' })
  readonly llm_calls_count!: number;
  @ApiProperty()
  readonly input_tokens!: number;
  @ApiProperty()
  readonly output_tokens!: number;
  @ApiProperty()
  readonly total_tokens!: number;
  @ApiProperty({ ...TIME, description: 'UTC without zone' })
  readonly last_message_at!: string | null;
  @ApiProperty(TIME)
  readonly created_at!: string | null;
  @ApiProperty(TIME)
  readonly updated_at!: string | null;
  @ApiProperty({ type: SessionMetadata })
  readonly metadata!: SessionMetadata;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Always empty' })
  readonly stats!: Record<string, never>;
  @ApiProperty()
  readonly pinned!: boolean;
}

@ApiSchema({ name: 'SessionAborted' })
export class AbortedSession {
  @ApiProperty({ enum: ['ok'] })
  readonly status!: 'ok';
  @ApiProperty()
  readonly session_id!: string;
}

export function sessionResource(row: SessionRow): SessionResource {
  return {
    id: row.id,
    thread_id: row.sessionId,
    user_id: row.userId,
    project_id: row.projectId,
    title: row.title,
    message_count: row.messageCount,
    llm_calls_count: row.llmCallsCount,
    input_tokens: row.inputTokens,
    output_tokens: row.outputTokens,
    total_tokens: row.inputTokens + row.outputTokens,
    last_message_at: naiveUtcOrNull(row.lastMessageAt),
    created_at: naiveUtc(row.createdAt),
    updated_at: naiveUtc(row.updatedAt),
    metadata: { copilot_mode: row.copilotMode },
    stats: {},
    pinned: row.pinned,
  };
}
