import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';

/** Never ends by itself. */
const draining = (limitSeconds: number) => `
import { endInTime } from './libs/config/src/end-in-time.ts';
process.once('SIGTERM', () => console.log('draining'));
endInTime(${limitSeconds}, () => console.log('overdue'));
setInterval(() => undefined, 1_000);
console.log('ready');
`;

/** Tells the process to end; resolves with what it has said and how it has ended. */
async function ended(limitSeconds: number, onDraining: (child: ChildProcess) => void) {
  const args = ['--import', 'tsx', '--input-type=module', '-e', draining(limitSeconds)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (line === 'ready') child.kill('SIGTERM');
    if (line === 'draining') onDraining(child);
  }
  return { said, exit: await exited };
}

describe('a process that drains', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'goes on at the first SIGTERM and ends by the second, %s',
    async (second) => {
      const { said, exit } = await ended(3_600, (child) => {
        expect(child.exitCode).toBeNull();
        child.kill(second);
      });
      expect(said).toEqual(['ready', 'draining']);
      expect(exit).toEqual([null, second]);
    },
  );

  it('says so and ends when it takes longer than it may', async () => {
    const { said, exit } = await ended(0.2, () => undefined);
    expect(said).toEqual(['ready', 'draining', 'overdue']);
    expect(exit).toEqual([null, 'SIGTERM']);
  });
});
