import type { CallRecord, Conversation } from './conversation';
import { readTopology, TOPOLOGY_TOOL } from './calls';
import { explainFailure, introduction, missingTool, withoutTools } from './explanations';
import { INTENTS } from './intents';
import { labNode, readLab, type LabView } from './lab-view';
import { answer } from './intent';
import { isPlanRequest, limitsPlan } from './limits-plan';
import type { PlannedCall, Step } from './step';
import { Turn } from './turn';

/** What the model says and does next. `stage` is written into the ids of its calls. */
export interface Plan {
  readonly text: string;
  readonly calls: readonly PlannedCall[];
  readonly stage: number | 'lab';
}

/** The whole of the model's thinking: the same conversation always gives the same plan. */
export function plan(conversation: Conversation): Plan {
  if (isPlanRequest(conversation)) return { text: limitsPlan(conversation), calls: [], stage: 0 };
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

/**
 * The newest description of the lab: read in this turn, else the prompt's, else one read earlier.
 * Undefined when it must be read with a tool first.
 */
function currentLab({ system, rounds, earlier, tools, mayCall }: Conversation): LabView | undefined {
  const readsNow = rounds.flat().filter(isTopologyRead);
  const texts = [
    ...readsNow.map((call) => call.result).reverse(),
    system,
    ...earlier
      .filter(isTopologyRead)
      .map((call) => call.result)
      .reverse(),
  ];
  const lab = texts.map(readLab).find((each) => each.nodes.length > 0);
  if (lab) return lab;
  const canRead = mayCall && tools.has(TOPOLOGY_TOOL) && readsNow.length === 0;
  return canRead ? undefined : { nodes: [], links: [] };
}

function isTopologyRead(call: CallRecord): boolean {
  return call.tool === TOPOLOGY_TOOL;
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
  const { language } = conversation;
  const question = askedFirst(conversation.question);
  const names = [...new Set(question.match(/\b(?:R|PC)\d+\b/gi) ?? [])]
    .slice(0, 3)
    .map((name) => name.toUpperCase());
  // A title request does not describe the lab; the names that the question uses stand for it.
  const nodes = names.map((name) => labNode(name, name.startsWith('PC') ? 'vpcs' : 'router', 'unknown'));
  const turn = new Turn({ ...conversation, question, rounds: [] }, { nodes, links: [] });
  const subject =
    INTENTS.find((each) => each.step(turn) !== undefined)?.title[language] ?? question.slice(0, 30);
  if (names.length === 0) return subject;
  return turn.say(`${subject} on ${names.join(', ')}`, `${names.join('、')} ${subject}`);
}

/** A request for a title may hold a transcript; only what the user said counts. */
function askedFirst(text: string): string {
  const [asked = ''] = text.split(/^(?:assistant|ai|助手)\s*[:：]/im);
  return asked.replace(/^\s*(?:user|human|用户)\s*[:：]\s*/i, '').trim();
}
