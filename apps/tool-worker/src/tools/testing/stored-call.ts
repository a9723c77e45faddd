import type { ToolCallRow } from '@copilot/persistence';
import { Gns3Client } from '@copilot/gns3';
import { DEFAULT_FORBIDDEN } from '../../commands/forbidden';
import { ConsoleAccess } from '../../consoles/console-access';
import { MemoryConsoleLocks } from '../../consoles/testing/memory-console-locks';
import type { ToolContext } from '../tool-context';

/** A call of the conversation as its row keeps it. */
export function storedCall(callId: string, output: string | null): ToolCallRow {
  return {
    runId: '33333333-3333-4333-8333-333333333333',
    callId,
    iteration: 1,
    position: 0,
    name: 'show',
    arguments: '{}',
    status: output === null ? 'running' : 'succeeded',
    attempt: 1,
    retries: 0,
    output,
    originalArguments: null,
    approval: null,
    approvalReason: null,
    decidedBy: null,
    decidedAt: null,
    createdAt: new Date(0),
    startedAt: new Date(0),
    endedAt: output === null ? null : new Date(0),
  };
}

/** What a tool works with in a conversation of that one call, with no lab behind it. */
export function contextFor(call: ToolCallRow): ToolContext {
  return {
    projectId: '11111111-1111-4111-8111-111111111111',
    runId: call.runId,
    labLogin: 'service',
    callId: 'call_now',
    signal: new AbortController().signal,
    findCall: async (callId) => (callId === call.callId ? call : undefined),
    onWaiting: () => undefined,
    gns3: new Gns3Client({ baseUrl: 'http://127.0.0.1:9', credentials: { token: 't' } }),
    consoles: new ConsoleAccess(new MemoryConsoleLocks()),
    forbidden: DEFAULT_FORBIDDEN,
    commandTimeoutMs: 1_000,
  };
}
