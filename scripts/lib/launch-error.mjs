/** A failure whose message is meant for the person at the terminal: printed as it is, without a stack. */
export class LaunchError extends Error {
  name = 'LaunchError';
}

/** What to print for any thrown value: a stack only where the fault is ours. */
export function describeFailure(error) {
  if (error instanceof LaunchError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
