import {
  isNews,
  learnFromCall,
  learnFromOverflow,
  readLearning,
  type ContextLearning,
} from '@copilot/context-budget';
import type { Logger } from '@copilot/observability';

/** Reads, changes and stores the config's lesson in one transaction. */
export type ChangeStored = (change: (stored: unknown) => ContextLearning) => Promise<void>;

/**
 * What is known of how a config's provider counts, while one run works with it. A correction that cannot be
 * stored is a loss for later runs only, so it is logged and this run goes on with it.
 */
export class ConfigLearning {
  private known: ContextLearning;

  constructor(
    stored: unknown,
    private readonly change: ChangeStored,
    private readonly log: Logger,
  ) {
    this.known = readLearning(stored);
  }

  get current(): ContextLearning {
    return this.known;
  }

  /** After a model call: our estimate of the request and the provider's own figure. */
  async fromCall(estimatedTokens: number, providerTokens: number): Promise<void> {
    await this.learn((known) => learnFromCall(known, estimatedTokens, providerTokens));
  }

  /** After the provider refused a request as too long. False: the budget is as small already as it may get. */
  async fromOverflow(): Promise<boolean> {
    const used = this.known.budgetFactor;
    await this.learn((known) => learnFromOverflow(known, used));
    return this.known.budgetFactor < used;
  }

  private async learn(lesson: (known: ContextLearning) => ContextLearning): Promise<void> {
    let learned = lesson(this.known);
    try {
      // All runs of a config share its row: they would wait for one another to write what it says already.
      if (isNews(this.known, learned)) {
        await this.change((stored) => (learned = lesson(readLearning(stored))));
      }
    } catch (error) {
      this.log.warn({ err: error }, 'what was learned about the provider could not be stored');
    }
    this.known = learned;
  }
}
