import { Child } from '../../e2e/support/child';

const RESTART_MS = 200;

export interface ProcessSettings {
  readonly name: string;
  readonly script: string;
  readonly readyLine: string;
  readonly env: Record<string, string>;
}

/** One process of the service, started again whenever it ends, as an operator's supervisor would do. */
export class Supervised {
  private child: Child;
  private readonly former: Child[] = [];
  private stopping = false;
  private frozen = false;

  constructor(private readonly settings: ProcessSettings) {
    this.child = this.start();
  }

  get name(): string {
    return this.settings.name;
  }

  /** How often it has been started again. */
  get restarts(): number {
    return this.former.length;
  }

  /** Running and not standing still, so that there is something to disturb. */
  get isWell(): boolean {
    return this.child.running && !this.frozen;
  }

  /** Everything that all its lives have printed. */
  get lines(): string[] {
    return [...this.former, this.child].flatMap(({ lines }) => lines);
  }

  /** Resolves when the life that it has now, or one after it, is ready. */
  async ready(): Promise<void> {
    for (;;) {
      const child = this.child;
      try {
        await child.line(this.settings.readyLine);
        return;
      } catch (error) {
        if (this.stopping || child.running) throw error;
        await this.nextAfter(child);
      }
    }
  }

  signal(name: NodeJS.Signals): void {
    this.child.signal(name);
  }

  freeze(): void {
    this.frozen = true;
    this.child.signal('SIGSTOP');
  }

  thaw(): void {
    if (!this.frozen) return;
    this.child.signal('SIGCONT');
    this.frozen = false;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.thaw();
    await this.child.stop();
  }

  private start(): Child {
    const { name, script, env } = this.settings;
    const child = new Child(name, script, env);
    void child.exitCode().then(() => {
      this.frozen = false;
      if (this.stopping) return;
      setTimeout(() => {
        if (this.stopping) return;
        this.former.push(child);
        this.child = this.start();
      }, RESTART_MS);
    });
    return child;
  }

  private async nextAfter(child: Child): Promise<void> {
    while (this.child === child && !this.stopping) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
