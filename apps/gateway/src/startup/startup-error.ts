/** A reason not to start; its message is all that the operator needs. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
