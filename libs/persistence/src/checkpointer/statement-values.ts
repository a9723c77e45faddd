/** The values of one statement, numbered as they are named in its text. */
export class StatementValues {
  constructor(private readonly values: unknown[]) {}

  get all(): readonly unknown[] {
    return this.values;
  }

  /** A VALUES list of rows whose columns have these types; nothing for no rows. */
  rows(rows: readonly (readonly unknown[])[], types: readonly string[]): string | undefined {
    if (rows.length === 0) return undefined;
    const texts = rows.map((row) => {
      const columns = types.map((type, column) => `$${this.values.push(row[column])}::${type}`);
      return `(${columns.join(', ')})`;
    });
    return `VALUES ${texts.join(', ')}`;
  }
}
