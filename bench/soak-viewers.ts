import { Agent, get, type IncomingMessage } from 'node:http';

/**
 * The viewers of bench/soak, in a process of their own that does little more than read. Runs to follow come over
 * the IPC channel. A viewer reads its run to `done` and judges: each event once, in the order of the log, and the
 * text of the run whole. Counts go back every second.
 */
const VIEWER_LIMIT_MS = 180_000;

export interface ViewerCounts {
  open: number;
  events: number;
  ended: number;
  resumed: number;
  readonly faults: string[];
}

const counts: ViewerCounts = { open: 0, events: 0, ended: 0, resumed: 0, faults: [] };
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

export interface Follow {
  readonly url: string;
  readonly viewers: number;
  /** The whole text of the run. */
  readonly text: string;
}

/** An entry's place in its log; entries of one log compare as numbers. */
function placeOf(id: string): readonly [number, number] {
  const [ms = 0, sequence = 0] = id
    .slice(id.indexOf('/') + 1)
    .split('-')
    .map(Number);
  return [ms, sequence];
}

class Viewer {
  private last: string | undefined;
  private place: readonly [number, number] = [-1, -1];
  private text = '';
  private isDone = false;
  private rest = '';
  private id: string | undefined;

  constructor(private readonly run: Follow) {}

  follow(): void {
    const giveUp = setTimeout(() => this.fault('no end in time'), VIEWER_LIMIT_MS);
    this.open(() => clearTimeout(giveUp));
  }

  private open(done: () => void): void {
    const headers = this.last === undefined ? {} : { 'last-event-id': this.last };
    counts.open += 1;
    const over = () => {
      counts.open -= 1;
      this.rest = '';
      if (this.isDone) {
        done();
        this.judge();
      } else {
        counts.resumed += 1;
        setTimeout(() => this.open(done), 200);
      }
    };
    const request = get(this.run.url, { agent, headers }, (response: IncomingMessage) => {
      response.setEncoding('utf8');
      response.on('data', (text: string) => this.take(text));
      response.once('close', over);
      response.on('error', () => undefined);
    });
    request.once('error', over);
  }

  private take(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('id: ')) this.id = line.slice(4);
      else if (line.startsWith('data: ')) this.event(line.slice(6));
    }
  }

  private event(json: string): void {
    counts.events += 1;
    const { id } = this;
    if (id !== undefined && id !== this.last) {
      const [ms, sequence] = placeOf(id);
      if (ms < this.place[0] || (ms === this.place[0] && sequence <= this.place[1])) {
        this.fault(`${id} came after ${this.last}`);
      }
      this.place = [ms, sequence];
      this.last = id;
    }
    const { type, content } = JSON.parse(json) as { type: string; content?: string };
    if (type === 'content') this.text += content ?? '';
    if (type === 'attempt') this.text = '';
    if (type === 'done') this.isDone = true;
  }

  private judge(): void {
    counts.ended += 1;
    if (this.text !== this.run.text)
      this.fault(`the text has ${this.text.length} characters, not ${this.run.text.length}`);
  }

  private fault(what: string): void {
    if (counts.faults.length < 20) counts.faults.push(`${this.run.url}: ${what}`);
  }
}

process.once('disconnect', () => process.exit());
process.on('message', (run: Follow) => {
  for (let n = 0; n < run.viewers; n += 1) new Viewer(run).follow();
});
setInterval(() => process.send?.(counts), 1_000);
