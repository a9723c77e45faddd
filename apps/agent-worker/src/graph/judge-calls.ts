import { isToolName, judgeCall, TOOL_NAMES } from '@copilot/contracts';
import { judgeArguments } from '../models/argument-verdict';
import type { AssembledCall } from '../models/tool-call-assembler';
import type { RunContext } from './run-context';
import type { RequestedCall } from './state';

/** Characters of a faulty argument text that are kept in the conversation. */
const SHOWN_FAULTY_ARGUMENTS = 2_000;

/**
 * Decides from the raw text which calls can be executed at all; the others are answered with what is wrong,
 * so that the model can mend them, and count against no limit.
 */
export function judgeCalls(
  calls: readonly AssembledCall[],
  finishReason: string | undefined,
  context: Pick<RunContext, 'mode' | 'projectId'>,
): RequestedCall[] {
  return calls.map((call, position) => {
    const cut = finishReason === 'length' && position === calls.length - 1;
    const verdict = judgeArguments(call.rawArguments);
    const fault = cut ? CUT : verdict.ok ? faultOf(call, context) : `Error: ${verdict.fault}. ${AGAIN}`;
    return {
      ...call,
      args: verdict.ok
        ? verdict.args
        : { invalid_arguments: call.rawArguments.slice(0, SHOWN_FAULTY_ARGUMENTS) },
      ...(fault === undefined ? {} : { refusal: fault }),
    };
  });
}

const AGAIN = 'Nothing was executed. Call the tool again with one JSON object as its arguments.';

const CUT =
  'Error: your output was cut at the token limit in the middle of this call, so nothing was executed. Call the tool again with a smaller request, for example fewer devices or fewer commands at a time.';

function faultOf(
  { name, rawArguments }: AssembledCall,
  { mode, projectId }: Pick<RunContext, 'mode' | 'projectId'>,
): string | undefined {
  if (isToolName(name)) {
    const verdict = judgeCall({ name, rawArguments, copilotMode: mode, projectId });
    return verdict.admitted ? undefined : verdict.refusal;
  }
  return `Error: there is no tool '${name}'. Nothing was executed. The tools are: ${TOOL_NAMES.join(', ')}.`;
}
