import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'HistoryToolFunction' })
class HistoryToolFunction {
  @ApiProperty()
  readonly name!: string;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'An object; in the stream a text' })
  readonly arguments!: Readonly<Record<string, unknown>>;
}

@ApiSchema({ name: 'HistoryToolCall' })
class HistoryToolCall {
  @ApiProperty()
  readonly id!: string;
  @ApiProperty({ enum: ['function'] })
  readonly type!: 'function';
  @ApiProperty({ type: HistoryToolFunction })
  readonly function!: HistoryToolFunction;
}

@ApiSchema({ name: 'HistoryMessageMetadata' })
class HistoryMessageMetadata {
  @ApiProperty({ required: false })
  readonly created_at?: string;
  @ApiProperty({ required: false, description: 'The call was never made, since its run was aborted' })
  readonly aborted?: true;
}

@ApiSchema({ name: 'HistoryMessage' })
export class HistoryMessage {
  @ApiProperty()
  readonly id!: string;
  @ApiProperty({ enum: ['user', 'assistant', 'system', 'tool'] })
  readonly role!: 'user' | 'assistant' | 'system' | 'tool';
  @ApiProperty()
  readonly content!: string;
  @ApiProperty({ type: String, nullable: true })
  readonly name!: string | null;
  @ApiProperty({ type: String, nullable: true })
  readonly tool_call_id!: string | null;
  @ApiProperty({ type: [HistoryToolCall], nullable: true })
  readonly tool_calls!: readonly HistoryToolCall[] | null;
  @ApiProperty({ type: HistoryMessageMetadata })
  readonly metadata!: HistoryMessageMetadata;
  @ApiProperty({ type: String, nullable: true, description: 'UTC without zone' })
  readonly created_at!: string | null;
}

@ApiSchema({ name: 'ConversationHistory' })
export class HistoryResource {
  @ApiProperty()
  readonly thread_id!: string;
  @ApiProperty()
  readonly title!: string;
  @ApiProperty({ type: [HistoryMessage] })
  readonly messages!: readonly HistoryMessage[];
  @ApiProperty({ type: String, nullable: true, description: 'Always null' })
  readonly created_at!: null;
  @ApiProperty({ type: String, nullable: true, description: 'Always null' })
  readonly updated_at!: null;
  @ApiProperty({ description: 'Model calls of the session' })
  readonly llm_calls!: number;
}
