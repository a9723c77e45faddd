import type { ReceivedCommand } from './world';

/** Enough for any test; a lab that runs for days must not fill the memory. */
const MAX_KEPT = 20_000;

/** Every command line that the lab's consoles received, oldest first. */
export class CommandRecord {
  private entries: ReceivedCommand[] = [];

  add(node: string, line: string, mode: string): void {
    this.entries.push({ at: new Date().toISOString(), node, line, mode });
    if (this.entries.length > MAX_KEPT) this.entries = this.entries.slice(-MAX_KEPT / 2);
  }

  list(): readonly ReceivedCommand[] {
    return this.entries;
  }

  clear(): void {
    this.entries = [];
  }
}
