import type { RunEvent, RunErrorCode, StopReason, Usage } from '@copilot/contracts';

interface Ending {
  readonly stopReason: StopReason;
  readonly usage: Usage;
}

/** Gathers from a run's events what a client that does not stream wants of them. */
export class WholeAnswer {
  private text = '';
  private callsFollowed = false;
  private failure: { readonly code: RunErrorCode; readonly message: string } | undefined;
  private ended: Ending | undefined;

  /** The text of the last model call: what earlier ones said was said on the way. */
  get answer(): string {
    return this.text;
  }

  get error() {
    return this.failure;
  }

  /** Nothing until the run has ended. */
  get ending(): Ending | undefined {
    return this.ended;
  }

  add(event: RunEvent): void {
    switch (event.type) {
      case 'content':
        this.text = this.callsFollowed ? event.content : this.text + event.content;
        this.callsFollowed = false;
        return;
      case 'tool_call':
        this.callsFollowed = true;
        return;
      case 'attempt':
        // The model call that was under way begins again.
        this.text = '';
        this.callsFollowed = false;
        return;
      case 'error':
        this.failure = { code: event.code, message: event.error };
        return;
      case 'done':
        this.ended = { stopReason: event.stop_reason, usage: event.usage };
        return;
      default:
        // Said on the way, for those who watch.
        return;
    }
  }
}
