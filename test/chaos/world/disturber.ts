import { setTimeout as sleep } from 'node:timers/promises';
import { inWords, type Disturbance, type DisturbedPart } from '../plan/disturbance-plan';
import type { Part, World } from './world';

/** Done by part, and those that found their process down or standing still already. */
export type DisturbanceCounts = Readonly<Record<DisturbedPart | 'skipped', number>>;

/** Carries a plan of disturbances out, and puts everything right again at the end. */
export class Disturber {
  private readonly done: Record<DisturbedPart | 'skipped', number> = {
    kills: 0,
    stops: 0,
    links: 0,
    redis: 0,
    postgres: 0,
    skipped: 0,
  };
  private readonly underWay = new Set<Promise<void>>();
  private redisIsDown = false;
  /** A store that could not be brought back, for instance; nothing after it says anything about the service. */
  readonly failures: string[] = [];

  constructor(
    private readonly world: World,
    private readonly say: (text: string) => void,
  ) {}

  get counts(): DisturbanceCounts {
    return this.done;
  }

  /** Resolves when the last one has begun. */
  async carryOut(plan: readonly Disturbance[], begunAt: number, signal: AbortSignal): Promise<void> {
    for (const disturbance of plan) {
      await sleep(Math.max(0, begunAt + disturbance.atMs - performance.now()), undefined, { signal }).catch(
        () => undefined,
      );
      if (signal.aborted) return;
      this.begin(disturbance);
    }
  }

  /** Mends links, wakes processes, brings stores up; resolves when all processes are ready. */
  async putRight(): Promise<void> {
    await Promise.all(this.underWay);
    for (const { process, links } of this.world.parts) {
      process.thaw();
      links.redis.mend();
      links.postgres.mend();
    }
    await this.world.ready();
  }

  private begin(disturbance: Disturbance): void {
    const work = this.one(disturbance).catch((error: unknown) => {
      this.failures.push(`${disturbance.kind}: ${String(error)}`);
    });
    this.underWay.add(work);
    void work.then(() => this.underWay.delete(work));
  }

  private async one(disturbance: Disturbance): Promise<void> {
    this.say(inWords(disturbance, (place) => this.part(place).process.name));
    switch (disturbance.kind) {
      case 'kill':
        return this.signal(this.part(disturbance.process), 'SIGKILL');
      case 'terminate':
        return this.signal(this.part(disturbance.process), 'SIGTERM');
      case 'freeze':
        return await this.freeze(this.part(disturbance.process), disturbance.forMs);
      case 'cut': {
        const link = this.part(disturbance.process).links[disturbance.store];
        this.done.links += 1;
        link.cut();
        await sleep(disturbance.forMs);
        return link.mend();
      }
      case 'restart-redis':
        return await this.restartRedis(disturbance.signal, disturbance.downMs);
      case 'restart-postgres':
        this.done.postgres += 1;
        return await this.world.postgres.restart(disturbance.mode);
    }
  }

  private signal({ process }: Part, name: 'SIGKILL' | 'SIGTERM'): void {
    if (!process.isWell) return this.skip();
    this.done.kills += 1;
    process.signal(name);
  }

  private async freeze({ process }: Part, forMs: number): Promise<void> {
    if (!process.isWell) return this.skip();
    this.done.stops += 1;
    process.freeze();
    await sleep(forMs);
    process.thaw();
  }

  private async restartRedis(signal: 'SIGTERM' | 'SIGKILL', downMs: number): Promise<void> {
    if (this.redisIsDown) return this.skip();
    this.redisIsDown = true;
    this.done.redis += 1;
    await this.world.redis.down(signal);
    await sleep(downMs);
    await this.world.redis.up();
    this.redisIsDown = false;
  }

  private skip(): void {
    this.done.skipped += 1;
  }

  private part(place: number): Part {
    const part = this.world.parts[place];
    if (!part) throw new Error(`there is no process ${place}`);
    return part;
  }
}
