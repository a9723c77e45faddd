import { createHash } from 'node:crypto';
import type { ChatRequestDto } from './chat-request.dto';

/**
 * The same for every request that asks for the same run; how its answer is wanted makes no difference, and what is
 * meant by leaving a field out may be written out.
 */
export function requestHash(purpose: string, { stream: _, ...request }: ChatRequestDto): string {
  const { multitask_strategy, on_disconnect, ...asked } = request;
  const order = {
    multitask_strategy: multitask_strategy === 'enqueue' ? null : multitask_strategy,
    on_disconnect: on_disconnect === 'continue' ? null : on_disconnect,
  };
  return createHash('sha256')
    .update(JSON.stringify([purpose, sorted({ ...asked, ...order })]))
    .digest('hex');
}

/** Fields in one order at every depth; what is null was not sent. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
  return entries
    .toSorted(([first], [second]) => (first < second ? -1 : 1))
    .map(([name, field]) => [name, sorted(field)]);
}
