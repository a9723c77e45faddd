import type { Adjustment } from '@copilot/limits';
import type { RunContext } from './run-context';

/**
 * Tells the viewers and the run's row of limits that the service has chosen. To be called with what is in the
 * checkpoint: a worker that dies afterwards leaves a step that tells the same again, which then changes nothing.
 */
export async function tellAdjustments(
  key: string,
  adjustments: readonly Adjustment[],
  context: RunContext,
): Promise<void> {
  if (adjustments.length === 0) return;
  for (const adjustment of adjustments) context.log.info({ ...adjustment }, 'run limit adjusted');
  await context.storeAdjustments(adjustments);
  await context.publishOnce(
    key,
    ...adjustments.map((adjustment) => ({ type: 'limits_adjusted' as const, ...adjustment })),
  );
}
