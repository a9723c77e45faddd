import type { ToolArgs } from '@copilot/contracts';
import { matchingLines, outputLines, type NumberedLine } from './output-lines';
import type { ToolContext } from './tool-context';

/** An answer above this would be shortened itself where the window is small. About 2,000 tokens. */
const MAX_ANSWER_CHARS = 6_000;

type Args = ToolArgs<'read_tool_output'>;

/** A page of an earlier result, or of its lines with a text. Other conversations' results are unknown here. */
export async function readToolOutput(args: Args, { findCall }: ToolContext): Promise<string> {
  const call = await findCall(args.tool_call_id);
  if (!call) {
    throw new Error(
      `no tool call '${args.tool_call_id}' is found in this conversation. Use the tool_call_id that the shortened result names.`,
    );
  }
  if (call.output === null) throw new Error(`the tool call '${args.tool_call_id}' has no result yet.`);
  const lines = outputLines(call.output);
  const listed = args.grep === undefined ? numbered(lines) : matchingLines(lines, args.grep);
  return answer(args, call.name, listed, lines.length);
}

function numbered(lines: readonly { readonly text: string }[]): NumberedLine[] {
  return lines.map(({ text }, number) => ({ number, text }));
}

function answer(args: Args, toolName: string, listed: readonly NumberedLine[], lineCount: number): string {
  const { offset, grep, limit } = args;
  const what = grep === undefined ? 'lines' : `lines with ${JSON.stringify(grep)}`;
  const total = grep === undefined ? `${lineCount}` : `${listed.length} (of ${lineCount} lines)`;
  const page = pageOf(listed.slice(offset, offset + limit));
  const result = `the result of ${toolName}`;
  if (page.length === 0) {
    return listed.length === 0
      ? `No line of ${result} has ${JSON.stringify(grep)} (${lineCount} lines).`
      : `Nothing is left at offset ${offset}: ${result} has ${total} ${what}.`;
  }
  const next = offset + page.length;
  const more = next < listed.length ? `Go on with offset ${next}.` : 'That is all.';
  return [
    `${result}: ${what} ${offset + 1} to ${next} of ${total}. ${more}`,
    ...page.map((line) => `${line.number + 1}: ${line.text}`),
  ].join('\n');
}

/** As many as fit into one answer, at least one. */
function pageOf(lines: readonly NumberedLine[]): NumberedLine[] {
  let chars = 0;
  const end = lines.findIndex(({ text }) => (chars += text.length + 1) > MAX_ANSWER_CHARS);
  return lines.slice(0, end < 0 ? lines.length : Math.max(1, end));
}
