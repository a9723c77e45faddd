/** Lines sorted by whether they may be sent. */
export interface Judged {
  allowed: string[];
  blocked: { command: string; reason: string }[];
}

/** Asks each rule in turn; the first that gives a reason blocks the line. */
export function judge(
  lines: readonly string[],
  rules: readonly ((line: string) => string | undefined)[],
): Judged {
  const judged: Judged = { allowed: [], blocked: [] };
  for (const command of lines) {
    const reason = firstReason(command, rules);
    if (reason === undefined) judged.allowed.push(command);
    else judged.blocked.push({ command, reason });
  }
  return judged;
}

function firstReason(
  line: string,
  rules: readonly ((line: string) => string | undefined)[],
): string | undefined {
  for (const rule of rules) {
    const reason = rule(line);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
