import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { StatementCounter } from './stream-statements';
import { Service } from './stream-service';
import { SHORT_MESSAGE } from './stream-workload';

/**
 * What one short run asks of the stores, run after run with nothing else going on: SQL statements by kind,
 * and commands that clients send to Redis. `npm run services -- npx tsx bench/stream-counts.ts`, after
 * `npm run build`.
 */
const RUNS = 20;
const statements = new StatementCounter();

/** A link to Postgres that reads along. */
async function countingLink(url: string): Promise<string> {
  const { port, hostname } = new URL(url);
  const server = createServer((client: Socket) => {
    const database = connect(Number(port), hostname);
    const read = statements.reader();
    client.on('data', read);
    client.pipe(database);
    database.pipe(client);
    client.on('error', () => database.destroy());
    database.on('error', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  server.unref();
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a listening server has a port');
  const link = new URL(url);
  link.port = String(address.port);
  return link.toString();
}

class Counts {
  private readonly byKind = new Map<string, number>();

  add(kind: string): void {
    this.byKind.set(kind, (this.byKind.get(kind) ?? 0) + 1);
  }

  /** Kinds that do not come with every second run are the background's. */
  print(title: string): void {
    const kinds = [...this.byKind].filter(([, count]) => count >= RUNS / 2);
    const total = kinds.reduce((sum, [, count]) => sum + count, 0);
    console.log(`\n${title}: ${(total / RUNS).toFixed(1)} a run\n`);
    for (const [kind, count] of kinds.toSorted(([, first], [, second]) => second - first)) {
      console.log(`| ${(count / RUNS).toFixed(1)} | ${kind} |`);
    }
  }
}

const service = await Service.start({ databaseVia: countingLink });
const { redis: server } = service.stack;
if (!('monitor' in server)) throw new Error('what is sent to a cluster cannot be read along');
const monitor = await server.monitor();
try {
  const chat = (sessionId: string) => service.chat({ sessionId, message: SHORT_MESSAGE, titled: false });
  for (let run = 0; run < RUNS; run++) await chat(randomUUID());
  for (const titled of [true, false]) {
    const sessionId = randomUUID();
    if (titled) await chat(sessionId);
    const sql = new Counts();
    const redis = new Counts();
    const onCommand = (_time: string, [name = '']: string[], source: string) => {
      if (source !== 'lua') redis.add(name.toLowerCase());
    };
    monitor.on('monitor', onCommand);
    statements.onStatement = (statement) => sql.add(statement);
    for (let run = 0; run < RUNS; run++) await chat(titled ? sessionId : randomUUID());
    monitor.off('monitor', onCommand);
    statements.onStatement = undefined;
    const kind = titled ? 'session with a title' : 'new session';
    sql.print(`SQL statements, ${kind}`);
    redis.print(`Redis commands, ${kind}`);
  }
} finally {
  monitor.disconnect();
  await service.stop();
}
