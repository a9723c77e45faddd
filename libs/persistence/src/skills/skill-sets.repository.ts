import { skillSetSchema, type SkillSet } from '@copilot/contracts';
import { desc } from 'drizzle-orm';
import type { Connection } from '../database';
import { skillSets } from '../schema';

/** How long a set that was replaced may still be used. */
const FRESH_MS = 2_000;

/** Skill sets in the order in which they were loaded; the newest is in force, everywhere within 2 seconds. */
export class SkillSetsRepository {
  private known: Promise<SkillSet | null> = Promise.resolve(null);
  private readAt = -Infinity;

  constructor(private readonly connection: Connection) {}

  /** The set in force, null while there is none. Calls within two seconds share one query. */
  current(): Promise<SkillSet | null> {
    if (Date.now() - this.readAt < FRESH_MS) return this.known;
    this.readAt = Date.now();
    this.known = this.newest();
    // What failed is asked again by the next caller; this one is told.
    this.known.catch(() => (this.readAt = -Infinity));
    return this.known;
  }

  /** Puts a set in force. Resolves with false when it is in force already. */
  async load(set: SkillSet, loadedBy: string | null): Promise<boolean> {
    if ((await this.newest())?.version === set.version) return false;
    await this.connection.db.insert(skillSets).values({ ...set, loadedBy });
    this.readAt = -Infinity;
    return true;
  }

  private async newest(): Promise<SkillSet | null> {
    const [row] = await this.connection.db.select().from(skillSets).orderBy(desc(skillSets.id)).limit(1);
    return row === undefined ? null : skillSetSchema.parse(row);
  }
}
