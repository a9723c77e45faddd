import { randomUUID } from 'node:crypto';
import type { NewRun } from '@copilot/persistence';

/** A message, on a session of its own, that nothing depends on but what a test says of it. */
export function newRun(fields: Partial<NewRun> = {}): NewRun {
  return {
    projectId: randomUUID(),
    userId: 'user-1',
    sessionId: randomUUID(),
    message: 'hello',
    copilotMode: 'teaching_assistant',
    modelConfigId: randomUUID(),
    model: 'm',
    prices: null,
    limits: { requested: {}, effective: {}, maxSeconds: 60 },
    approval: { policies: [], timeoutSeconds: 3_600 },
    multitaskStrategy: 'enqueue',
    ...fields,
  };
}
