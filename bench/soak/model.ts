import { endWithParent } from '@copilot/config';
import { type ChatRequest, ScriptedModel } from '../../test/fakes/scripted-model';
import { answerOf, taskOf } from './workload';

/** The model of the soak, in a process of its own: slow streams that cost next to nothing. */
endWithParent();
const pieceMs = Number(process.env.SOAK_PIECE_MS);
const model = await ScriptedModel.start();
model.play((request) => {
  // Hours of requests must not gather here.
  model.requests.length = 0;
  const task = taskOf(lastQuestion(request));
  if (task === undefined) return { status: 400, error: 'not a message of the soak' };
  if (task.looksFirst && request.messages.at(-1)?.role !== 'tool') {
    return { calls: [{ name: 'gns3_topology_reader', args: {} }] };
  }
  return { text: answerOf(task), pieceDelayMs: pieceMs };
});
console.log(`model ready ${model.baseUrl}`);

function lastQuestion({ messages }: ChatRequest): string {
  return String(messages.findLast(({ role }) => role === 'user')?.content);
}
