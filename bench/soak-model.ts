import { endWithParent } from '@copilot/config';
import { ScriptedModel } from '../test/fakes/scripted-model';

/** The model of bench/soak: an answer takes a minute, a piece a second. */
export const PIECES = Array.from({ length: 60 }, (_, n) => `piece ${n} `);
const PIECE_MS = 1_000;

if (process.env.SOAK_MODEL === '1') {
  endWithParent();
  const model = await ScriptedModel.start();
  model.play(() => {
    // A long measurement must not gather its requests.
    model.requests.length = 0;
    return { text: PIECES, pieceDelayMs: PIECE_MS };
  });
  console.log(`model ready ${model.baseUrl}`);
}
