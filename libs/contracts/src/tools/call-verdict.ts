import type { z } from 'zod';
import { toCopilotMode, TOOLS_BY_MODE } from '../modes';
import { isToolName, TOOL_CATALOGUE, type ToolArgs, type ToolName } from './catalogue';

export interface AdmittedCall<Name extends ToolName = ToolName> {
  readonly name: Name;
  readonly args: ToolArgs<Name>;
}

export type CallVerdict =
  | { readonly admitted: true; readonly call: AdmittedCall }
  | { readonly admitted: false; readonly refusal: string };

interface Asked {
  readonly name: string;
  readonly rawArguments: string;
  readonly copilotMode: string;
  readonly projectId: string;
}

const NOTHING_DONE = 'Nothing was executed.';

/**
 * Whether a call may run at all: a known tool, of the run's mode, with arguments of its schema, for the
 * run's own project. Asked by the agent before a call is counted, and by the tool worker before it runs: what the
 * model was offered decides nothing, since a model may name anything.
 */
export function judgeCall({ name, rawArguments, copilotMode, projectId }: Asked): CallVerdict {
  if (!isToolName(name)) return refuse(`there is no tool '${name}'`);
  const mode = toCopilotMode(copilotMode);
  const offered = TOOLS_BY_MODE[mode];
  if (!offered.includes(name)) {
    return refuse(
      `the tool '${name}' is not available in mode '${mode}'. ${NOTHING_DONE} The tools of this mode are: ${offered.join(', ')}`,
      '',
    );
  }
  const parsed = TOOL_CATALOGUE[name].args.safeParse(parseObject(rawArguments));
  if (!parsed.success) return refuse(`the arguments of '${name}' are not valid: ${faults(parsed.error)}`);
  const given = 'project_id' in parsed.data ? parsed.data.project_id : undefined;
  if (given !== undefined && given.toLowerCase() !== projectId.toLowerCase()) {
    return refuse(`project_id ${given} is not the project of this conversation (${projectId})`);
  }
  return { admitted: true, call: { name, args: parsed.data } };
}

function refuse(reason: string, ending = NOTHING_DONE): CallVerdict {
  return { admitted: false, refusal: `Error: ${reason}. ${ending}`.trimEnd() };
}

function parseObject(rawArguments: string): unknown {
  try {
    return rawArguments.trim() === '' ? {} : JSON.parse(rawArguments);
  } catch {
    return undefined;
  }
}

const SHOWN_FAULTS = 5;

/** Names the field and the fault of each, bounded, since a model may get everything wrong. */
function faults(error: z.ZodError): string {
  const shown = error.issues
    .slice(0, SHOWN_FAULTS)
    .map(({ path, message }) => `${path.map(String).join('.') || 'arguments'}: ${message}`);
  const more = error.issues.length - shown.length;
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
}
