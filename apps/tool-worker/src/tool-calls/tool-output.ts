/** A tool's return value as the model and the viewers get it: text as it is, anything else as JSON. */
export function toToolOutput(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}

export const OUTCOME_UNKNOWN =
  'Outcome unknown: the worker that executed this call stopped before it could report. The commands may or may not have taken effect, and they were not sent again. Read the state of the device (for example with show running-config) before you decide what to send.';
