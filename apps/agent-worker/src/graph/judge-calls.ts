import { isToolName, TOOL_NAMES } from '@copilot/contracts';
import { judgeArguments } from '../models/argument-verdict';
import type { AssembledCall } from '../models/tool-call-assembler';
import type { RequestedCall } from './state';

/** Characters of a faulty argument text that are kept in the conversation. */
const SHOWN_FAULTY_ARGUMENTS = 2_000;

/**
 * Decides from the raw text which calls can be executed at all; the others are answered with what is wrong,
 * so that the model can mend them. Mode, schema and limits are the tool worker's to judge.
 */
export function judgeCalls(
  calls: readonly AssembledCall[],
  finishReason: string | undefined,
): RequestedCall[] {
  return calls.map((call, position) => {
    const cut = finishReason === 'length' && position === calls.length - 1;
    const verdict = judgeArguments(call.rawArguments);
    const fault = cut ? CUT : verdict.ok ? unknownName(call.name) : `Error: ${verdict.fault}. ${AGAIN}`;
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

function unknownName(name: string): string | undefined {
  if (isToolName(name)) return undefined;
  return `Error: there is no tool '${name}'. Nothing was executed. The tools are: ${TOOL_NAMES.join(', ')}.`;
}
