import { describe, expect, it } from '@jest/globals';
import { settingsPage } from '../../scripts/settings-doc';
import { readText } from './checkout';

describe('docs/settings.md', () => {
  it('is what the schemas say: npx tsx scripts/settings-doc.ts > docs/settings.md', () => {
    expect(readText('docs/settings.md')).toBe(settingsPage());
  });

  it.each(['REDIS_URL', 'SECRET_KEY', 'GNS3_URL'])('marks %s as required', (name) => {
    expect(settingsPage()).toMatch(
      new RegExp(`^\\| \`${name}\`\\s+\\| all\\s+\\| \\*\\*required\\*\\*\\s+\\|`, 'm'),
    );
  });

  it('says what is taken where nothing is set, and which values are allowed', () => {
    expect(settingsPage()).toMatch(
      /^\| `AGENT_CONCURRENCY`\s+\| agent-worker\s+\| `50`\s+\| 1 to 1000\s+\|/m,
    );
  });

  it('has a line for each meaning of a name', () => {
    expect(settingsPage().match(/^\| `DRAIN_SECONDS`/gm)).toHaveLength(2);
  });
});
