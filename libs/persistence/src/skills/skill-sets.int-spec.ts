import type { SkillSet } from '@copilot/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SkillSetsRepository } from './skill-sets.repository';
import { openStores, type Stores } from '../testing/stores';

let stores: Stores;
let sets: SkillSetsRepository;
const first: SkillSet = { version: 'aa', prompts: { title: 'Name it.' }, forbiddenCommands: null };
const second: SkillSet = { version: 'bb', prompts: {}, forbiddenCommands: ['clear ip'] };

beforeAll(async () => {
  stores = await openStores();
  sets = new SkillSetsRepository(stores.connection);
});

afterAll(() => stores.connection.pool.end());

describe('SkillSetsRepository', () => {
  it('has none at first', async () => {
    expect(await sets.current()).toBeNull();
  });

  it('gives the newest, at once to the one who loaded it', async () => {
    expect(await sets.load(first, 'somebody')).toBe(true);
    expect(await sets.current()).toEqual(first);
    expect(await sets.load(second, null)).toBe(true);
    expect(await sets.current()).toEqual(second);
  });

  it('is loaded once, however often it is asked for', async () => {
    expect(await sets.load(second, null)).toBe(false);
    expect(await sets.load(first, null)).toBe(true);
    expect(await sets.current()).toEqual(first);
  });
});
