/** Lines sorted by whether they may be sent. */
export interface Judged {
  allowed: string[];
  blocked: { command: string; reason: string }[];
}

/** Why a line may not be sent, or undefined. */
export type Rule = (line: string) => string | undefined;

/** Most lines that one call may send to one device; a string may hold any number of them. */
const MAX_LINES = 1_000;

/** Asks each rule in turn; the first that gives a reason blocks the line. */
export function judge(lines: readonly string[], rules: readonly Rule[]): Judged {
  if (lines.length > MAX_LINES) {
    const reason = `At most ${MAX_LINES} lines can be sent to a device in one call.`;
    return { allowed: [], blocked: [{ command: `${lines.length} lines`, reason }] };
  }
  const judged: Judged = { allowed: [], blocked: [] };
  for (const command of lines) {
    const reason = firstReason(command, rules);
    if (reason === undefined) judged.allowed.push(command);
    else judged.blocked.push({ command, reason });
  }
  return judged;
}

function firstReason(line: string, rules: readonly Rule[]): string | undefined {
  for (const rule of rules) {
    const reason = rule(line);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
