import type { Conversation } from './conversation';
import { readTopology, TOPOLOGY_TOOL } from './calls';
import { explainFailure, introduction, missingTool, withoutTools } from './explanations';
import { INTENTS } from './intents';
import { readLab, type LabView } from './lab-view';
import { answer } from './intent';
import { stageOf, Turn, type PlannedCall, type Step } from './turn';

/** What the model says and does next. `stage` is written into the ids of its calls. */
export interface Plan {
  readonly text: string;
  readonly calls: readonly PlannedCall[];
  readonly stage: number | 'lab';
}

/** The whole of the model's thinking: the same conversation always gives the same plan. */
export function plan(conversation: Conversation): Plan {
  if (isTitleRequest(conversation)) return { text: title(conversation), calls: [], stage: 0 };
  const intro = conversation.isFirstAnswer ? `${introduction(conversation.language)}\n\n` : '';
  const lab = currentLab(conversation);
  if (lab === undefined) {
    return { text: intro, calls: [complete(readTopology(), conversation, undefined)], stage: 'lab' };
  }
  const turn = new Turn(conversation, lab);
  const step = permitted(nextStep(turn), turn);
  if (step.kind === 'answer') return { text: intro + step.text, calls: [], stage: turn.stage };
  const calls = step.calls.map((call) => complete(call, conversation, lab.projectId));
  return { text: intro + step.say, calls, stage: turn.stage };
}

function nextStep(turn: Turn): Step {
  const failed = explainFailure(turn);
  if (failed !== undefined) return answer(failed);
  for (const each of INTENTS) {
    const step = each.step(turn);
    if (step) return step;
  }
  throw new Error('the last intent takes every question');
}

/** A step whose tools are not offered, or that may not call any, becomes an answer that says so. */
function permitted(step: Step, turn: Turn): Step {
  if (step.kind === 'answer') return step;
  const { tools, mayCall } = turn.conversation;
  if (!mayCall && tools.size > 0) return answer(withoutTools(turn));
  const missing = step.calls.find((call) => !tools.has(call.tool) && call.isOptional !== true);
  if (missing) return answer(missingTool(missing, turn));
  const calls = step.calls.filter((call) => tools.has(call.tool));
  return calls.length > 0 ? { ...step, calls } : answer(withoutTools(turn));
}

/** The newest description of the lab; undefined when it must be read with a tool first. */
function currentLab(conversation: Conversation): LabView | undefined {
  const reads = [...conversation.earlier, ...conversation.rounds.flat()].filter(
    (call) => call.tool === TOPOLOGY_TOOL,
  );
  for (const read of reads.reverse()) {
    const lab = readLab(read.result);
    if (lab.nodes.length > 0) return lab;
  }
  const lab = readLab(conversation.system);
  const canRead = conversation.mayCall && conversation.tools.has(TOPOLOGY_TOOL);
  const hasTried = conversation.rounds.some((round) => round.some((call) => stageOf(call.id) === -1));
  return lab.nodes.length > 0 || !canRead || hasTried ? lab : undefined;
}

/** Tools that insist on a project get the one that the prompt names. */
function complete(call: PlannedCall, { tools }: Conversation, projectId: string | undefined): PlannedCall {
  const needsProject = tools.get(call.tool)?.required.includes('project_id') ?? false;
  return needsProject && projectId !== undefined
    ? { ...call, args: { project_id: projectId, ...call.args } }
    : call;
}

function isTitleRequest({ system, tools }: Conversation): boolean {
  return tools.size === 0 && /\btitle\b|标题/i.test(system);
}

function title(conversation: Conversation): string {
  const { question, language } = conversation;
  const turn = new Turn({ ...conversation, rounds: [] }, { nodes: [], links: [] });
  const recognised = INTENTS.find((each) => each.step(turn) !== undefined);
  const devices = [...new Set(question.match(/\b(?:R|PC|SW)\d+\b/gi) ?? [])]
    .slice(0, 3)
    .map((name) => name.toUpperCase());
  const subject = recognised?.title[language] ?? turn.say('Lab question', '实验问题');
  if (devices.length === 0) return subject;
  return turn.say(`${subject} on ${devices.join(', ')}`, `${devices.join('、')} ${subject}`);
}
