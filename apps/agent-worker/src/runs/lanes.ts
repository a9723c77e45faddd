/**
 * Deals calls out to at most `width` lanes. Within a lane the model's order holds, and the first `width`
 * calls begin at once.
 */
export function lanesOf<T>(calls: readonly T[], width: number): T[][] {
  const lanes: T[][] = Array.from({ length: Math.min(width, calls.length) }, () => []);
  calls.forEach((call, position) => lanes[position % width]?.push(call));
  return lanes;
}
