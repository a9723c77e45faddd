/** The contract's timestamps: UTC with microseconds and without a zone. */
export function naiveUtc(date: Date): string {
  return date.toISOString().replace('Z', '000');
}

export function naiveUtcOrNull(date: Date | null): string | null {
  return date === null ? null : naiveUtc(date);
}
