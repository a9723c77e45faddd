import { parseArgs } from 'node:util';
import { z } from 'zod';
import { DISTURBED_PARTS, type DisturbedPart } from './disturbance-plan';

/** What one run of the chaos runner is to do. */
export interface ChaosOptions {
  /** How long messages are sent and the service is disturbed; the start and the quiet tail come on top. */
  readonly minutes: number;
  readonly seed: number;
  readonly chats: number;
  readonly parts: readonly DisturbedPart[];
  /** File for the counts of rules that held and did not, for whoever runs this as a step. */
  readonly report: string | undefined;
}

/** As many as end in order on two cores that do other work as well; measured, see README.md. */
const CHATS_A_MINUTE = 50;
const MOST_CHATS = 500;

const parts = z
  .string()
  .default(DISTURBED_PARTS.join(','))
  .transform((text) => text.split(',').filter((part) => part !== ''))
  .pipe(z.array(z.enum(DISTURBED_PARTS, { error: `must be of ${DISTURBED_PARTS.join(', ')}` })));

const optionsSchema = z.object({
  minutes: z.coerce
    .number({ error: 'must be a number of minutes' })
    .min(0.2)
    .max(24 * 60),
  seed: z.coerce
    .number({ error: 'must be a whole number' })
    .int()
    .min(0)
    .max(2 ** 31),
  chats: z.coerce.number().int().min(1).max(10_000).optional(),
  parts,
  report: z.string().optional(),
});

/** Parses the command line. Rejects with a text that names what is wrong with it. */
export function chaosOptions(args: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '2' },
      seed: { type: 'string', default: '1' },
      chats: { type: 'string' },
      parts: { type: 'string' },
      report: { type: 'string' },
    },
  });
  const parsed = optionsSchema.safeParse(values);
  if (!parsed.success) throw new Error(`Options of the chaos runner:\n${z.prettifyError(parsed.error)}`);
  const { minutes, seed, report, chats, parts: disturbed } = parsed.data;
  const paced = Math.max(1, Math.min(MOST_CHATS, Math.round(minutes * CHATS_A_MINUTE)));
  return { minutes, seed, chats: chats ?? paced, parts: disturbed, report };
}

/** The line that does the same again. */
export function repeatLine({ minutes, seed, chats, parts: disturbed }: ChaosOptions): string {
  const some = disturbed.length < DISTURBED_PARTS.length ? ` --parts ${disturbed.join(',')}` : '';
  return `npm run chaos -- --minutes ${minutes} --seed ${seed} --chats ${chats}${some}`;
}
