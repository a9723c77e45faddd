import { describe, expect, it } from '@jest/globals';
import { apiPage } from '../../scripts/api-doc';
import { readText } from './checkout';

describe('docs/api.md', () => {
  it('is what openapi.json says: npx tsx scripts/api-doc.ts > docs/api.md', () => {
    expect(readText('docs/api.md')).toBe(apiPage());
  });

  it('has each route once, under one spelling', () => {
    const routes = [...apiPage().matchAll(/^\| `([A-Z]+ \/\S+)`/gm)].map(([, route]) => route);
    expect(new Set(routes).size).toBe(routes.length);
    expect(routes).toContain('POST /v3/projects/{project_id}/chat/stream');
    expect(routes.join()).not.toMatch(/\/v3\/(copilot\/projects|access)\//);
  });
});
