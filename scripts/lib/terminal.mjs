const REPORT_EVERY_MS = 3_000;

export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** Launcher's own lines go to stderr, so `npm run services -- psql ...` keeps its stdout to itself. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Runs `work` and keeps the terminal alive meanwhile: a line when it starts to take long, then one with the
 * elapsed seconds every three seconds, and one at the end. Work that is quicker than that stays silent
 * except for its first line.
 */
export async function withProgress(label, work) {
  const startedAt = Date.now();
  const elapsed = () => Date.now() - startedAt;
  say(`> ${label}`);
  const timer = setInterval(() => say(`  ${label}: ${Math.round(elapsed() / 1000)} s`), REPORT_EVERY_MS);
  try {
    const result = await work();
    if (elapsed() >= REPORT_EVERY_MS) say(`  ${label}: done in ${seconds(elapsed())}`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
