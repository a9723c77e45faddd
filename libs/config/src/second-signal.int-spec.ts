import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';

const SCRIPT = `
import { endAtSecondSignal } from './libs/config/src/second-signal.ts';
process.on('SIGTERM', () => console.log('draining'));
endAtSecondSignal();
setInterval(() => undefined, 1_000);
console.log('ready');
`;

describe('a process that drains', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'goes on at the first SIGTERM and ends by the second, %s',
    async (second) => {
      const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', SCRIPT], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const exited = once(child, 'exit');
      for await (const line of createInterface({ input: child.stdout })) {
        if (line === 'ready') child.kill('SIGTERM');
        if (line !== 'draining') continue;
        expect(child.exitCode).toBeNull();
        child.kill(second);
      }
      expect(await exited).toEqual([null, second]);
    },
  );
});
