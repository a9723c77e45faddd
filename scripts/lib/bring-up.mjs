import { demoSettings, gatewayUrl, productSettings } from './app-settings.mjs';
import { startDemo, startGateway, startWorkers } from './apps.mjs';
import { ensureBuilt, entries } from './build.mjs';
import { checkout, inCheckout } from './checkout.mjs';
import { waitForExternal } from './external-services.mjs';
import { ensureDemoModelConfig } from './gateway-http.mjs';
import { ensureInstalled } from './install.mjs';
import { LaunchError } from './launch-error.mjs';
import { claimPort } from './port-claim.mjs';
import { findRedis } from './redis-binary.mjs';
import { runGuarded } from './run-guarded.mjs';
import { startServices } from './services.mjs';
import { say, withProgress } from './terminal.mjs';

const MIGRATION_TIMEOUT_MS = 120_000;

/** Private services for what the caller's environment does not name, and a check of what it names. */
async function services({ options, env, layers, onGiveUp, assertGoingOn }) {
  const starting = startServices({
    redis: !env.REDIS_URL,
    postgres: !env.DATABASE_URL,
    dataDir: options.dataDir,
    onGiveUp,
  });
  layers.add('services', starting);
  const named = ['REDIS_URL', 'DATABASE_URL'].filter((name) => env[name]);
  const [started] = await Promise.all([
    starting,
    ...named.map((name) => waitForExternal(name, env[name], { assertGoingOn })),
  ]);
  if (env.DATABASE_URL && !env.SECRET_KEY && options.dataDir === undefined) {
    say(
      '! SECRET_KEY is not set: the API keys that this start saves in the database cannot be read by the next one',
    );
  }
  return started;
}

function startDemoLab({ options, env, layers, onGiveUp }) {
  if (!options.demo) return undefined;
  const demo = startDemo({
    settings: (ports) => demoSettings(env, { nodes: options.nodes, ports }),
    onGiveUp,
  });
  layers.add('demo', demo);
  return demo.ready;
}

async function migrate(databaseUrl) {
  const { code, output } = await runGuarded({
    name: 'migrations',
    command: process.execPath,
    args: [inCheckout(entries.migrate)],
    cwd: checkout,
    env: { ...process.env, DATABASE_URL: databaseUrl },
    timeoutMs: MIGRATION_TIMEOUT_MS,
  });
  if (code !== 0) throw new LaunchError(`The migrations failed:\n${output}`);
}

/** Gateway and workers; resolves when each is ready for the first time. */
async function startProduct({ options, env, url, layers, onGiveUp }) {
  const gateway = startGateway({ env, url, onGiveUp });
  const agents = startWorkers({ kind: 'agent-worker', count: options.agents, env, onGiveUp });
  const tools = startWorkers({ kind: 'tool-worker', count: options.tools, env, onGiveUp });
  layers.add('gateway', gateway);
  layers.add('agents', ...agents);
  layers.add('tools', ...tools);
  await Promise.all([gateway, ...agents, ...tools].map((member) => member.ready));
}

/**
 * From a bare checkout to a service that answers. Everything started is in `layers` from its first moment on,
 * so a stop in the middle finds it; `assertGoingOn` throws once a stop was asked for, so nothing new starts.
 * Resolves with what the banner tells.
 */
export async function bringUp({ options, env, layers, onGiveUp, assertGoingOn }) {
  const context = { options, env, layers, onGiveUp, assertGoingOn };
  const host = env.HOST || '127.0.0.1';
  // Both wait for the network, and fetching Redis needs nothing of what npm installs. Its failure is told below.
  const prefetch = env.REDIS_URL ? undefined : findRedis().catch(() => undefined);
  await ensureInstalled();
  assertGoingOn();
  // Early, so a taken port is told before the long steps; its release is the very last thing.
  const port = await claimPort(options.port, host);
  layers.add('services', { stop: port.release });
  await ensureBuilt();
  await prefetch;
  assertGoingOn();

  const [demo, started] = await Promise.all([
    startDemoLab(context),
    withProgress('Starting Redis, Postgres and the demo lab', () => services(context)),
  ]);
  const settings = productSettings(env, {
    port: port.port,
    services: started.env,
    secretKey: started.secretKey,
    demo,
  });
  assertGoingOn();
  await withProgress('Applying migrations', () => migrate(settings.DATABASE_URL));
  assertGoingOn();

  const url = gatewayUrl(host, port.port);
  await withProgress('Starting gateway and workers', () => startProduct({ ...context, env: settings, url }));
  assertGoingOn();
  // Only in the local default may the launcher speak as a user; with real accounts that is for a person to do.
  const modelReady = demo !== undefined && settings.AUTH_MODE === 'none';
  if (modelReady) await ensureDemoModelConfig(url, demo.modelUrl);
  return { url, modelReady, projectId: env.GNS3_URL ? undefined : demo?.projectId };
}
