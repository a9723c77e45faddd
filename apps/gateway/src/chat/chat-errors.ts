/** What a chat message can be refused with, and an estimate of it. */
export const CHAT_ERRORS = {
  400: 'The caller has no model config',
  403: 'The project is not opened',
  404: "The project does not exist, or the session is another user's",
  409: 'The idempotency key was sent before with another request, or the session is busy and the message was to be rejected then',
  413: 'The body is larger than 1 MB',
  422: 'A field or an id is not valid, or max_cost is set and the model config has no prices',
  429: 'The session has used up one of its budgets',
};
