import { describe, expect, it } from '@jest/globals';
import { migrate } from './migrate';

describe('migrate', () => {
  it('changes nothing when it is run again, also by several at once', async () => {
    const url = process.env.DATABASE_URL ?? '';
    await expect(Promise.all([migrate(url), migrate(url), migrate(url)])).resolves.toHaveLength(3);
  });
});
