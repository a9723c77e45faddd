/** One event of a stream; OpenAPI 3.0 has no word for "a sequence of these". */
export const EVENT_STREAM = {
  'text/event-stream': {
    schema: {
      type: 'object',
      description: 'One event of the stream',
      required: ['id', 'data'],
      properties: {
        id: { type: 'string', description: 'Its cursor, for `Last-Event-ID`' },
        data: {
          type: 'string',
          description: 'A JSON object with `type`, `session_id`, `run_id` and what its type has',
        },
      },
    },
  },
};
