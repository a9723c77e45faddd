export type ConsoleErrorCode =
  | 'refused'
  | 'unreachable'
  | 'closed'
  | 'silent'
  | 'booting'
  | 'login_required'
  | 'enable_refused'
  | 'unexpected_state'
  | 'aborted';

/** A console could not be brought to its prompt. The message says what was seen and what to do about it. */
export class ConsoleError extends Error {
  override readonly name = 'ConsoleError';

  constructor(
    readonly code: ConsoleErrorCode,
    message: string,
  ) {
    super(message);
  }
}
