/** A frame of the stream as a client gets it. */
export interface Frame {
  readonly id: string | undefined;
  readonly data: Record<string, unknown> & { readonly type: string };
}

export interface OpenStream {
  readonly response: Response;
  /** Frames as they come; ends with the stream. */
  readonly frames: AsyncGenerator<Frame, void, undefined>;
  readonly close: () => void;
}

/** Opens an event stream. An answer that is not one is handed out as it is. */
export async function openStream(url: string, init: RequestInit = {}): Promise<OpenStream> {
  const abort = new AbortController();
  const response = await fetch(url, { ...init, signal: abort.signal });
  return { response, frames: framesOf(response), close: () => abort.abort() };
}

async function* framesOf(response: Response): AsyncGenerator<Frame, void, undefined> {
  if (!response.body) return;
  const decoder = new TextDecoder();
  let text = '';
  let id: string | undefined;
  for await (const bytes of response.body) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('id: ')) id = line.slice(4).trim();
      if (line.startsWith('data: ')) yield { id, data: JSON.parse(line.slice(6)) as Frame['data'] };
    }
  }
}

/** All frames to the end of the stream. */
export async function collect(frames: AsyncIterable<Frame>): Promise<Frame[]> {
  const all: Frame[] = [];
  for await (const frame of frames) all.push(frame);
  return all;
}

export function textOf(frames: readonly Frame[]): string {
  return frames
    .filter(({ data }) => data.type === 'content')
    .map(({ data }) => String(data.content))
    .join('');
}

export function ofType(frames: readonly Frame[], type: string): Frame['data'][] {
  return frames.filter(({ data }) => data.type === type).map(({ data }) => data);
}
