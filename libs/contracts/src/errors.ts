/**
 * Stable codes of the failures a run can end with. The text beside a code may change, the code may not.
 * `kind` decides what is done about one: a user's error is told and never retried, an operational one is
 * retried by the queue, an unexpected one is reported.
 */
export const RUN_ERROR_CODES = [
  'gns3_unreachable',
  'gns3_refused',
  'model_unreachable',
  'model_refused',
  'model_interrupted',
  'model_address_not_allowed',
  'model_config_missing',
  'context_limit_missing',
  'context_too_large',
  'max_iterations',
  'max_tool_calls',
  'max_device_config_calls',
  'max_diagnostic_calls',
  'tool_limit',
  'time_limit',
  'cost_limit',
  'delivery_lost',
  'internal_error',
] as const;
export type RunErrorCode = (typeof RUN_ERROR_CODES)[number];

/** A failure whose text is meant for the person who asked: it names what is wrong and the remedy. */
export class RunError extends Error {
  override readonly name = 'RunError';

  constructor(
    readonly code: RunErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
