export type WireFrame = Readonly<Record<string, unknown>> & { readonly type: string };

/**
 * Reads a stream as the web UI does: lines end with \n, only those that start exactly with `data: ` count, one
 * JSON a line; it stops at the first `done` or `error` and cancels the body. Where the UI skips what it cannot
 * read, this throws.
 */
export async function* asWebUi(response: Response): AsyncGenerator<WireFrame, void, undefined> {
  for await (const line of linesOf(response)) {
    if (!line.startsWith('data: ')) continue;
    const frame = JSON.parse(line.slice('data: '.length).trim()) as WireFrame;
    yield frame;
    if (frame.type === 'done' || frame.type === 'error') return;
  }
}

async function* linesOf(response: Response): AsyncGenerator<string, void, undefined> {
  if (!response.body) return;
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of response.body) {
    const lines = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** What the web UI shows of a stream, up to `done` or `error`. */
export async function readAsWebUi(response: Response): Promise<WireFrame[]> {
  const frames: WireFrame[] = [];
  for await (const frame of asWebUi(response)) frames.push(frame);
  return frames;
}

/** Every frame to the end of the stream, also behind an `error`. */
export async function readToTheEnd(response: Response): Promise<WireFrame[]> {
  return (await response.text())
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as WireFrame);
}

/** The types that the contract knows; the others are on top of it, and the web UI leaves them out. */
const CONTRACT_TYPES = new Set(['content', 'tool_call', 'tool_start', 'tool_end', 'error', 'done']);

export function contractFrames(frames: readonly WireFrame[]): WireFrame[] {
  return frames.filter(({ type }) => CONTRACT_TYPES.has(type));
}

export interface ToolCallPart {
  readonly id: string;
  readonly type: string;
  readonly function: { readonly name: string; readonly arguments: unknown; readonly complete?: unknown };
}

export function toolCalls(frames: readonly WireFrame[], id?: string): ToolCallPart[] {
  return frames
    .filter(({ type }) => type === 'tool_call')
    .map(({ tool_call }) => tool_call as ToolCallPart)
    .filter((part) => id === undefined || part.id === id);
}

export function ofType(frames: readonly WireFrame[], type: string): WireFrame[] {
  return frames.filter((frame) => frame.type === type);
}
