import { z } from 'zod';

const textParts = z.array(z.looseObject({ type: z.string(), text: z.string().optional() }));

/** Content is text, or parts of which the text ones count. */
const content = z
  .union([z.string(), textParts, z.null()])
  .optional()
  .transform((value) =>
    typeof value === 'string' ? value : (value ?? []).map((part) => part.text ?? '').join(''),
  );

const toolCall = z.object({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer']), content }),
  z.object({ role: z.literal('user'), content }),
  z.object({ role: z.literal('assistant'), content, tool_calls: z.array(toolCall).min(1).nullish() }),
  z.object({ role: z.literal('tool'), content, tool_call_id: z.string() }),
]);

const tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string(),
    parameters: z.looseObject({ required: z.array(z.string()).optional() }).optional(),
  }),
});

export const chatRequest = z.object({
  model: z.string(),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: z.union([z.string(), z.looseObject({})]).nullish(),
  max_tokens: z.number().int().positive().nullish(),
  max_completion_tokens: z.number().int().positive().nullish(),
});

export type ChatRequest = z.output<typeof chatRequest>;
export type ChatMessage = ChatRequest['messages'][number];

/**
 * The provider's own rule on tool messages: every call of an assistant message is answered right after it,
 * and nothing else is answered. Undefined when the messages keep it.
 */
export function pairingFault(messages: readonly ChatMessage[]): string | undefined {
  let open = new Set<string>();
  let answering = false;
  for (const [index, each] of messages.entries()) {
    if (each.role === 'tool') {
      if (!answering || !open.delete(each.tool_call_id)) {
        return `Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'. (messages.[${index}].role)`;
      }
      continue;
    }
    if (open.size > 0) return unanswered(open);
    open = new Set(each.role === 'assistant' ? (each.tool_calls ?? []).map((call) => call.id) : []);
    answering = open.size > 0;
  }
  return open.size > 0 ? unanswered(open) : undefined;
}

function unanswered(open: ReadonlySet<string>): string {
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`;
}
