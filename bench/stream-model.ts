import { endWithParent } from '@copilot/config';
import { ScriptedModel } from '../test/fakes/scripted-model';
import { SHORT_MESSAGE, TIMED_TOKENS, TOKEN_MS } from './stream-workload';

/** The model of bench/stream, in a process of its own so that it takes no time from whoever is measured. */
endWithParent();
const model = await ScriptedModel.start();
model.play(({ messages }) => {
  // A long measurement must not gather its requests.
  model.requests.length = 0;
  return messages.at(-1)?.content === SHORT_MESSAGE
    ? { text: 'Yes.' }
    : { text: TIMED_TOKENS, pieceDelayMs: TOKEN_MS };
});
console.log(`model ready ${model.baseUrl}`);
