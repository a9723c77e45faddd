import { TOPOLOGY_TOOL } from './calls';
import type { CallRecord, Conversation } from './conversation';
import { deviceResults, type DeviceResult } from './device-results';
import type { LabNode, LabView } from './lab-view';

/** How far a question's plan has come: everything is read from the conversation, nothing is remembered. */
export class Turn {
  /** 0 before the first tools ran; topology look-ups do not count. */
  readonly stage: number;
  private readonly staged: readonly StagedRound[];

  constructor(
    readonly conversation: Conversation,
    readonly lab: LabView,
  ) {
    this.staged = stagedRounds(conversation.rounds);
    this.stage = this.staged.reduce((furthest, { stage }) => Math.max(furthest, stage + 1), 0);
  }

  get text(): string {
    return this.conversation.question;
  }

  say(en: string, zh: string): string {
    return this.conversation.language === 'zh' ? zh : en;
  }

  /** Results of a stage's calls; empty when that part of the history was trimmed away. */
  results(stage: number): DeviceResult[] {
    return this.staged
      .filter((round) => round.stage === stage)
      .flatMap(({ calls }) => calls.flatMap(deviceResults));
  }

  outputOf(stage: number, device: string): string {
    return this.results(stage)
      .filter((each) => each.device === device || each.device === '')
      .map((each) => each.output)
      .join('\n');
  }

  routers(): LabNode[] {
    return this.lab.nodes.filter((node) => node.kind === 'router');
  }

  pcs(): LabNode[] {
    return this.lab.nodes.filter((node) => node.kind === 'pc');
  }

  node(name: string): LabNode | undefined {
    return this.lab.nodes.find((node) => node.name.toLowerCase() === name.toLowerCase());
  }

  /** Lab nodes that the question names, in its order. */
  named(): LabNode[] {
    const text = this.text.toLowerCase();
    const found = this.lab.nodes.flatMap((node) => {
      const at = positionOf(text, node.name.toLowerCase());
      return at < 0 ? [] : [{ node, at }];
    });
    return found.sort((left, right) => left.at - right.at).map(({ node }) => node);
  }
}

/** A stage is written into the ids of its calls, so that it survives the trimming of a long history. */
export function callId(stage: number | 'lab', unique: string): string {
  return `call_${stage}_${unique}`;
}

interface StagedRound {
  readonly stage: number;
  readonly calls: readonly CallRecord[];
}

/** Ids that were changed on the way tell nothing: then rounds are counted. Looking up the lab is no stage. */
function stagedRounds(rounds: Conversation['rounds']): StagedRound[] {
  return rounds
    .filter((calls) => calls.some((call) => call.tool !== TOPOLOGY_TOOL))
    .map((calls, index) => ({ stage: stageOf(calls[0]?.id ?? '') ?? index, calls }));
}

function stageOf(id: string): number | undefined {
  const [, stage] = /^call_(\d+)_/.exec(id) ?? [];
  return stage === undefined ? undefined : Number(stage);
}

/** R1 is not in R10, and a Chinese text has no spaces around names. */
function positionOf(text: string, name: string): number {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + name.length] ?? ' ';
    if (!/[a-z0-9_]/.test(before) && !/[a-z0-9_]/.test(after)) return at;
  }
  return -1;
}
