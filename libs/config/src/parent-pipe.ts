/**
 * Ends this process when its launcher is gone, however it died: the launcher holds the other end of our
 * stdin, and the kernel closes that end even on SIGKILL. Without it a killed launcher would leave workers
 * behind that go on taking jobs.
 */
export function endWithParent(env: Record<string, string | undefined> = process.env): void {
  if (env.COPILOT_PARENT_PIPE !== '1') return;
  process.stdin.resume();
  process.stdin.once('end', () => process.kill(process.pid, 'SIGTERM'));
  process.stdin.once('error', () => process.kill(process.pid, 'SIGTERM'));
}
