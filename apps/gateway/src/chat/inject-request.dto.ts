import { ApiProperty, ApiSchema, OmitType } from '@nestjs/swagger';
import { IsText } from '../validation/text-rule';
import { ChatRequestDto, MAX_MESSAGE_CHARS } from './chat-request.dto';

/** What is asked for where the message is empty. */
const DEFAULT_MESSAGE = 'Inject a network fault for troubleshooting practice';

@ApiSchema({ name: 'InjectRequest' })
export class InjectRequestDto extends OmitType(ChatRequestDto, ['message']) {
  @ApiProperty({
    maxLength: MAX_MESSAGE_CHARS,
    description: `An empty one stands for "${DEFAULT_MESSAGE}"`,
    example: 'Inject 2 network faults for troubleshooting practice',
  })
  @IsText({ min: 0, max: MAX_MESSAGE_CHARS })
  readonly message!: string;
}

/** The chat message that a request for faults stands for. */
export function injectionMessage(request: InjectRequestDto): ChatRequestDto {
  const message = request.message.trim() === '' ? DEFAULT_MESSAGE : request.message;
  return Object.assign(new ChatRequestDto(), request, { message });
}
