import { parseArgs } from 'node:util';
import { z } from 'zod';
import { failureSwitch } from './failures';

const port = z.coerce.number().int().min(0).max(65535);
const delayMs = z.coerce.number().int().min(0).max(600_000);

const settings = z.object({
  /** 0 picks a free port; the ready line says which. */
  DEMO_GNS3_PORT: port.default(3080),
  DEMO_MODEL_PORT: port.default(3081),
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Routers of a ring, each with a PC; without it the five-node lab. */
  DEMO_NODES: z.coerce.number().int().min(1).max(500).optional(),
  DEMO_LATENCY_MS: delayMs.default(0),
  /** Between two echo replies on a console; real devices take 1000. */
  DEMO_PING_INTERVAL_MS: delayMs.default(200),
  DEMO_TOKEN_MS: delayMs.default(15),
  DEMO_FAIL: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== ''),
    )
    .pipe(z.array(failureSwitch)),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

export interface DemoConfig {
  readonly gns3Port: number;
  readonly modelPort: number;
  readonly host: string;
  readonly nodes?: number;
  readonly latencyMs: number;
  readonly pingIntervalMs: number;
  readonly tokenMs: number;
  readonly failures: readonly string[];
  readonly logLevel: z.output<typeof settings>['LOG_LEVEL'];
}

/** Reads the environment; `--nodes N` wins over DEMO_NODES. Throws with a text that names what is wrong. */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
): DemoConfig {
  const { values } = parseArgs({ args: [...args], options: { nodes: { type: 'string' } } });
  const given = Object.entries({ ...env, DEMO_NODES: values.nodes ?? env['DEMO_NODES'] }).filter(
    ([, value]) => value !== '',
  );
  const parsed = settings.safeParse(Object.fromEntries(given));
  if (!parsed.success) throw new Error(`Settings of the demo:\n${z.prettifyError(parsed.error)}`);
  const { data } = parsed;
  return {
    gns3Port: data.DEMO_GNS3_PORT,
    modelPort: data.DEMO_MODEL_PORT,
    host: data.HOST,
    ...(data.DEMO_NODES === undefined ? {} : { nodes: data.DEMO_NODES }),
    latencyMs: data.DEMO_LATENCY_MS,
    pingIntervalMs: data.DEMO_PING_INTERVAL_MS,
    tokenMs: data.DEMO_TOKEN_MS,
    failures: data.DEMO_FAIL,
    logLevel: data.LOG_LEVEL,
  };
}
