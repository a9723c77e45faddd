import { randomUUID } from 'node:crypto';
import { modelSettingsSchema, type RunEvent } from '@copilot/contracts';
import { Gns3Client, readTopology } from '@copilot/gns3';
import { effectiveLimits } from '@copilot/limits';
import { builtInPrompt, promptTopology } from '@copilot/model-request';
import { createLogger } from '@copilot/observability';
import { HumanMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { agentGraph } from '../apps/agent-worker/src/graph/agent-graph';
import { RunClock } from '../apps/agent-worker/src/graph/run-clock';
import { freshProgress } from '../apps/agent-worker/src/graph/state';
import { ConfigLearning } from '../apps/agent-worker/src/models/config-learning';
import { guardedFetch } from '../apps/agent-worker/src/models/guarded-fetch';
import { OpenAiModel } from '../apps/agent-worker/src/models/openai.model';
import type { Chat, Contender, CpuByPart, Timing } from './stream-workload';

/** A limit that no run of the benchmark reaches. */
const RUN_SECONDS = 900;

/** The agent's graph called in this process: no gateway, no queue, no log, checkpoints in memory. */
export class DirectGraph implements Contender {
  readonly name = 'graph called directly';
  private readonly checkpoints = new MemorySaver();
  private readonly log = createLogger('bench', 'silent');
  private readonly fetch = guardedFetch(['127.0.0.1']);
  private readonly gns3: Gns3Client;
  private readonly settings;

  constructor(
    modelUrl: string,
    private readonly lab: { readonly gns3Url: string; readonly projectId: string },
  ) {
    this.gns3 = new Gns3Client({
      baseUrl: lab.gns3Url,
      credentials: { username: 'admin', password: 'admin' },
    });
    this.settings = modelSettingsSchema.parse({
      provider: 'openai',
      base_url: modelUrl,
      model: 'scripted',
      context_limit: 128,
    });
  }

  async chat({ sessionId, message, titled }: Chat): Promise<Timing> {
    const begun = performance.now();
    const runId = randomUUID();
    let firstTokenMs: number | undefined;
    const clock = new RunClock({ elapsedMs: 0, remainingMs: RUN_SECONDS * 1_000 });
    const graph = agentGraph(
      {
        runId,
        projectId: this.lab.projectId,
        mode: 'lab_automation_assistant',
        prompts: builtInPrompt,
        model: new OpenAiModel(this.settings, 'sk-bench', this.fetch),
        settings: this.settings,
        learning: new ConfigLearning(null, async () => undefined, this.log),
        wantsTitle: !titled,
        limits: effectiveLimits({}, { maxSeconds: RUN_SECONDS }),
        requested: {},
        prices: null,
        clock,
        signal: new AbortController().signal,
        log: this.log,
        readTopology: async (signal) =>
          promptTopology(await readTopology(this.gns3, this.lab.projectId, signal), this.settings),
        publish: ({ type }: RunEvent) => {
          if (type === 'content') firstTokenMs ??= performance.now() - begun;
        },
        refresh: async () => undefined,
        flush: async () => undefined,
        publishOnce: async () => undefined,
        pastRuns: async () => [],
        storeAdjustments: async () => undefined,
      },
      this.checkpoints,
    );
    const { progress } = await graph.invoke(
      {
        messages: [new HumanMessage({ id: runId, content: message })],
        progress: freshProgress(runId),
        topology: null,
        title: null,
      },
      { configurable: { thread_id: sessionId } },
    );
    // Its timer would keep this process alive.
    clock.stop();
    if (progress.failure || firstTokenMs === undefined) {
      throw new Error(`the direct run failed: ${progress.failure?.message ?? 'no text'}`);
    }
    return { firstTokenMs, totalMs: performance.now() - begun };
  }

  async cpuMs(): Promise<CpuByPart> {
    const { user, system } = process.cpuUsage();
    return { process: (user + system) / 1_000 };
  }
}
