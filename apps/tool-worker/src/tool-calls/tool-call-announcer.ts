import { toolEndEvent, type RunEvent } from '@copilot/contracts';
import { LogClosedError, RunEventWriter, type WriterFence } from '@copilot/events';
import type { ToolCallRow } from '@copilot/persistence';
import type { RedisClient } from '@copilot/redis';

/** The events of one tool call. Each can be written again after a crash without showing twice. */
export class ToolCallAnnouncer {
  constructor(
    private readonly redis: RedisClient,
    private readonly eventTtlSeconds: number,
  ) {}

  async start({ runId, callId, name }: ToolCallRow): Promise<void> {
    await this.write(runId, { writer: `call-start:${callId}`, attempt: 0 }, [
      { type: 'tool_start', tool_call_id: callId, tool_name: name },
    ]);
  }

  /** One after another, as a console's line moves on. */
  waiting({ runId, callId, name, attempt }: ToolCallRow): (deviceName: string, ahead: number) => void {
    const writer = this.writer(runId, { writer: `call-wait:${callId}`, attempt });
    let last = Promise.resolve();
    return (deviceName, ahead) => {
      // Waiting is told as a courtesy: a fault here is met again, and handled, where the result is written.
      last = last
        .then(() =>
          writer.append({
            type: 'tool_waiting',
            tool_call_id: callId,
            tool_name: name,
            device_name: deviceName,
            ahead,
          }),
        )
        .catch(() => undefined);
    };
  }

  async end(call: ToolCallRow, output: string): Promise<void> {
    await this.write(call.runId, { writer: `call-end:${call.callId}`, attempt: 0 }, [
      toolEndEvent(call, output),
    ]);
  }

  private async write(runId: string, fence: WriterFence, events: RunEvent[]): Promise<void> {
    try {
      await this.writer(runId, fence).append(...events);
    } catch (error) {
      // The run was ended meanwhile, and its viewers have been told so.
      if (!(error instanceof LogClosedError)) throw error;
    }
  }

  private writer(runId: string, fence: WriterFence): RunEventWriter {
    return new RunEventWriter(this.redis, runId, fence, this.eventTtlSeconds);
  }
}
