import { Seeded } from '../../support/seeded';
import { post } from '../../e2e/support/stack';
import type { ChatPlan } from '../plan/chat-plan';
import type { World } from '../world/world';
import { persistently, type Patience } from './patience';
import type { SeenFrame } from './sent-message';

/** The person who decides of calls that wait, as the plan says. */
export class Decider {
  private readonly decided = new Set<string>();
  private readonly work: Promise<void>[] = [];
  readonly surprises: string[] = [];

  constructor(
    private readonly plan: ChatPlan,
    private readonly world: World,
    private readonly patience: Patience,
  ) {}

  /** Once for each wait, however often it is told of. */
  look({ data }: SeenFrame): void {
    if (data.type !== 'approval_required' || this.plan.decision === 'ignore') return;
    const calls = (data.calls as readonly { readonly tool_call_id: string }[]).map(
      (call) => call.tool_call_id,
    );
    const wait = calls.join();
    if (this.decided.has(wait)) return;
    this.decided.add(wait);
    this.work.push(this.decide(String(data.run_id), calls));
  }

  async finished(): Promise<void> {
    await Promise.all(this.work);
  }

  private async decide(runId: string, calls: readonly string[]): Promise<void> {
    const body = {
      calls: calls.map((tool_call_id) => ({ tool_call_id, decision: this.wordOn(tool_call_id) })),
    };
    const answer = await persistently(
      this.patience,
      (gateway) => this.world.chatUrl(gateway, `/runs/${runId}/approvals`),
      post(body),
    );
    // A run that is cancelled or out of time does not wait any more.
    const { cancelAfterMs, mayBeInterrupted, body: limits } = this.plan;
    const mayHaveEnded =
      cancelAfterMs !== undefined || mayBeInterrupted || 'max_execution_time_seconds' in limits;
    if (answer === undefined || answer.status === 200 || (answer.status === 409 && mayHaveEnded)) return;
    this.surprises.push(`approvals: ${answer.status} ${String(answer.body.message)}`);
  }

  private wordOn(callId: string): 'approve' | 'reject' {
    if (this.plan.decision !== 'mixed') return this.plan.decision === 'reject' ? 'reject' : 'approve';
    return new Seeded(callId.length * 31 + this.plan.chat).below(2) === 0 ? 'approve' : 'reject';
  }
}
