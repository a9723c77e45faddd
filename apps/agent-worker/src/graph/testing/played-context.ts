import { modelSettingsSchema, type RunEvent } from '@copilot/contracts';
import { effectiveLimits } from '@copilot/limits';
import { builtInPrompt } from '@copilot/model-request';
import { createLogger } from '@copilot/observability';
import type { ModelPiece, ModelRequest } from '../../models/chat-model';
import { ConfigLearning } from '../../models/config-learning';
import { RunClock } from '../run-clock';
import type { RunContext } from '../run-context';

export interface PlayedContext {
  readonly context: RunContext;
  readonly requests: ModelRequest[];
  readonly events: RunEvent[];
}

/** What a run's nodes work with, its model played by `play`. */
export function playedContext(
  play: (request: ModelRequest, call: number) => readonly ModelPiece[],
  settings: Record<string, unknown> = {},
): PlayedContext {
  const requests: ModelRequest[] = [];
  const events: RunEvent[] = [];
  const log = createLogger('test', 'silent');
  const context: RunContext = {
    runId: '44444444-4444-4444-8444-444444444444',
    projectId: '11111111-1111-4111-8111-111111111111',
    mode: 'teaching_assistant',
    prompts: builtInPrompt,
    model: {
      label: "'played'",
      async *stream(request) {
        requests.push(request);
        yield* play(request, requests.length);
      },
    },
    settings: modelSettingsSchema.parse({
      provider: 'openai',
      base_url: '',
      model: 'played',
      context_limit: 8,
      ...settings,
    }),
    learning: new ConfigLearning(null, async () => undefined, log),
    wantsTitle: false,
    limits: effectiveLimits({}, { maxSeconds: 900 }),
    requested: {},
    prices: null,
    clock: new RunClock({ elapsedMs: 0, remainingMs: 900_000 }),
    signal: new AbortController().signal,
    log,
    readTopology: async () => 'R1',
    refresh: async () => undefined,
    publish: (event) => void events.push(event),
    flush: async () => undefined,
    publishOnce: async (_key, ...once) => void events.push(...once),
    pastRuns: async () => [],
    storeAdjustments: async () => undefined,
  };
  return { context, requests, events };
}
