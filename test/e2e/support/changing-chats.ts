import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { ofType, openStream, textOf, type Frame, type OpenStream } from './sse-client';
import { post, type Stack } from './stack';

const LOST_AFTER_MS = 90_000;
/** The one line of a chat's changing command, which no other chat sends. */
const markerOf = (chat: number) => `ip host m${chat} 192.0.2.${(chat % 250) + 1}`;

/**
 * Chats for a service whose processes come and go. Each sends one changing command of its own, then reads, then
 * answers; each is followed as by a client that reconnects, to whichever gateway is there.
 */
export class ChangingChats {
  private readonly id = randomUUID();
  private readonly followed = new Map<number, readonly Frame[]>();

  /** `answer`: what the last call of the model says before `answer N`, a piece at a time. */
  constructor(
    private readonly stack: Stack,
    answer: readonly string[] = [],
    pieceDelayMs = 0,
  ) {
    stack.model.play(({ messages }) => {
      const asked = String(messages.findLast(({ role }) => role === 'user')?.content);
      const chat = Number(/chat (\d+)/.exec(asked)?.[1]);
      const device_name = `R${(chat % 10) + 1}`;
      const config = { device_configs: [{ device_name, config_commands: [markerOf(chat)] }] };
      switch (messages.filter(({ role }) => role === 'tool').length) {
        case 0:
          return {
            text: 'first ',
            calls: [{ name: 'execute_multiple_device_config_commands', args: config }],
          };
        case 1:
          return { calls: [{ name: 'gns3_topology_reader', args: {} }] };
        default:
          return { text: [...answer, `answer ${chat}`], pieceDelayMs };
      }
    });
  }

  get count(): number {
    return this.followed.size;
  }

  /** Sends a chat by the gateway and reads it to its `done`. */
  async follow(chat: number, gateway: number): Promise<readonly Frame[]> {
    const all: Frame[] = [];
    const { frames } = await this.send(chat, gateway);
    try {
      for await (const frame of frames) all.push(frame);
    } catch {
      // Its gateway has gone.
    }
    const deadline = Date.now() + LOST_AFTER_MS;
    for (let via = gateway; all.at(-1)?.data.type !== 'done'; via += 1) {
      const last = all.at(-1);
      if (!last || Date.now() > deadline) throw new Error(`chat ${chat} stopped at ${JSON.stringify(last)}`);
      const { length: gateways } = this.stack.gateways;
      const rest = await this.stack.resume(String(last.data.run_id), last.id, via % gateways).catch(() => []);
      all.push(...rest);
      if (rest.length === 0) await pause(200);
    }
    this.followed.set(chat, all);
    return all;
  }

  /** Nothing was lost and nothing came or was done twice. */
  async expectAllDoneOnce(): Promise<void> {
    const lines = (await this.stack.labCommands()).map(({ line }) => line);
    for (const [chat, frames] of this.followed) {
      expect(ofType(frames, 'done')).toHaveLength(1);
      expect(new Set(frames.map(({ id }) => id)).size).toBe(frames.length);
      const repeated = frames.findLastIndex(({ data }) => data.type === 'attempt');
      expect(textOf(frames.slice(repeated + 1)).endsWith(`answer ${chat}`)).toBe(true);
      // A call that a killed worker had begun is not repeated, and its result says so.
      const sent = lines.filter((line) => line === markerOf(chat)).length;
      if (this.isUnknown(frames)) expect(sent).toBeLessThanOrEqual(1);
      else expect(sent).toBe(1);
    }
  }

  /** Chats whose changing command has a result that says that its outcome is unknown. */
  get unknown(): number {
    return [...this.followed.values()].filter((frames) => this.isUnknown(frames)).length;
  }

  private isUnknown(frames: readonly Frame[]): boolean {
    return ofType(frames, 'tool_end').some(({ tool_output }) =>
      String(tool_output).includes('Outcome unknown'),
    );
  }

  /**
   * A gateway that is shutting down says so, and takes nothing on; of one that dies nobody knows what it had taken
   * on. Either way the message is sent again, by another: its key makes one run of it.
   */
  private async send(chat: number, gateway: number): Promise<OpenStream> {
    const request = post({ message: `chat ${chat}` }, { 'idempotency-key': `${this.id}-${chat}` });
    for (let via = gateway; ; via += 1) {
      const url = this.stack.chatUrl('/stream', { gateway: via % this.stack.gateways.length });
      const stream = await openStream(url, request).catch(() => undefined);
      if (stream?.response.status === 200) return stream;
      if (stream) expect(stream.response.status).toBe(503);
      await pause(200);
    }
  }
}
