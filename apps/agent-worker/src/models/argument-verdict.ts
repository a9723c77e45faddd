/** What became of the raw text that a model gave as a call's arguments. */
export type ArgumentVerdict =
  | { readonly ok: true; readonly args: Record<string, unknown> }
  | { readonly ok: false; readonly fault: string };

/**
 * Judges the raw argument text. Providers' libraries repair a text that was cut in mid-stream into a valid
 * but different call, so nothing runs on their reading of it. Source: cases F7, F9, F12.
 */
export function judgeArguments(raw: string): ArgumentVerdict {
  if (raw.trim() === '') return { ok: true, args: {} };
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    return { ok: false, fault: 'the arguments are not valid JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, fault: `the arguments must be a JSON object, not ${kindOf(value)}` };
  }
  return { ok: true, args: { ...value } };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
