import { z } from 'zod';
import type { Marker } from '../plan/planned-iterations';
import type { CallFact, Evidence, Rule } from './evidence';

const resultSchema = z.array(
  z.looseObject({
    device_name: z.string(),
    status: z.string(),
    config_commands: z.array(z.string()).optional(),
    error: z.string().optional(),
  }),
);

/** In these nothing may have been sent: the call was never begun (`ToolCallStatus` in the schema). */
const NEVER_BEGUN = ['pending', 'refused', 'rejected', 'skipped'];

/** A result may say that it does not know; docs/operating.md, "Shutdown", and docs/architecture.md. */
const SAYS_UNKNOWN = /unknown|may or may not|was stopped/i;

/**
 * Each changing line reached its device at most once, exactly once where its result says that it did, and not at all
 * where its result says that it did not.
 */
export const commandsOnce: Rule = {
  name: 'each changing command reaches its device at most once, and as its result says',
  breaches: ({ messages, calls, commands }: Evidence) => {
    const times = new Map<string, number>();
    for (const { node, line } of commands) {
      const at = `${node} ${line.trim()}`;
      times.set(at, (times.get(at) ?? 0) + 1);
    }
    const rows = new Map(calls.map((call) => [call.callId, call]));
    return messages.flatMap(({ plan }) =>
      plan.iterations
        .flatMap(({ calls: planned }) => planned)
        .flatMap(({ id, markers }) =>
          markers.flatMap((marker) => {
            const count = times.get(`${marker.device} ${marker.line}`) ?? 0;
            const breach = breachOf(marker, count, rows.get(id));
            return breach === undefined ? [] : [`call ${id} on ${marker.device}: ${breach}`];
          }),
        ),
    );
  },
};

function breachOf(marker: Marker, count: number, call: CallFact | undefined): string | undefined {
  if (count > 1) return `its line was received ${count} times`;
  if (!call) return count === 0 ? undefined : 'its line was received, and the call has no row';
  if (NEVER_BEGUN.includes(call.status))
    return count === 0 ? undefined : `its line was received although the call is ${call.status}`;
  const output = call.output ?? '';
  if (call.status === 'succeeded') return byResult(marker, count, output);
  if (count === 0 || SAYS_UNKNOWN.test(output)) return undefined;
  return `its line was received, and the result (${call.status}) does not say so: ${output.slice(0, 200)}`;
}

function byResult({ device, line }: Marker, count: number, output: string): string | undefined {
  const parsed = resultSchema.safeParse(asJson(output));
  const result = parsed.data?.find(({ device_name }) => device_name === device);
  if (!result) return `its result does not tell of the device: ${output.slice(0, 200)}`;
  if (result.status === 'success')
    return count === 1 ? undefined : 'its result says success, and no line came';
  const error = result.error ?? '';
  if (count === 0 || result.config_commands?.includes(line) || SAYS_UNKNOWN.test(error)) return undefined;
  return `its line was received, and the result denies it: ${error.slice(0, 200)}`;
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
