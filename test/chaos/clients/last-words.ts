import { post } from '../../e2e/support/stack';
import { LAST_WORD } from '../world/chaos-model';
import type { World } from '../world/world';
import { persistently, type Patience } from './patience';

const AT_ONCE = 6;

/** Each session takes one more message, whose history the model's provider judges like any other. */
export async function lastWords(
  world: World,
  sessions: readonly string[],
  patience: Patience,
): Promise<void> {
  for (let first = 0; first < sessions.length; first += AT_ONCE) {
    await Promise.all(
      sessions
        .slice(first, first + AT_ONCE)
        .map((session_id) =>
          persistently(
            patience,
            (gateway) => world.chatUrl(gateway, '/stream'),
            post(
              { message: LAST_WORD, session_id, stream: false },
              { 'idempotency-key': `last ${session_id}`.replaceAll(' ', '-') },
            ),
          ),
        ),
    );
  }
}
