import { audible } from './app-settings.mjs';
import { startApp } from './child-process.mjs';
import { entries } from './build.mjs';
import { checkout, inCheckout } from './checkout.mjs';
import { gatewayIsReady } from './gateway-http.mjs';
import { parseLogLine, linePrinter } from './log-lines.mjs';
import { superviseProcess } from './supervised-process.mjs';

const READY_TIMEOUT_MS = 90_000;
const GATEWAY_GRACE_MS = 15_000;
/** A worker's drain ends its current step; a device may take that long to answer. */
const WORKER_GRACE_MS = 30_000;

const colour = Boolean(process.stdout.isTTY) && !process.env.NO_COLOR;
let printers = 0;

const says = (message) => (line) => parseLogLine(line)?.msg === message;

function supervise({ name, app, onGiveUp, environment, ...handle }) {
  const onLine = linePrinter(name, printers, {
    colour,
    levelName: process.env.LOG_LEVEL,
    write: (text) => process.stdout.write(text),
  });
  printers += 1;
  const start = () =>
    startApp({
      name,
      entry: inCheckout(entries[app]),
      cwd: checkout,
      env: audible(environment()),
      onLine,
      readyTimeoutMs: READY_TIMEOUT_MS,
      ...handle,
    });
  return superviseProcess({ name, start, onGiveUp });
}

export const startGateway = ({ env, url, onGiveUp }) =>
  supervise({
    name: 'gateway',
    app: 'gateway',
    environment: () => env,
    probe: (signal) => gatewayIsReady(url, signal),
    graceMs: GATEWAY_GRACE_MS,
    onGiveUp,
  });

/** `count` processes of one kind of worker (`agent-worker`, `tool-worker`). */
export function startWorkers({ kind, count, env, onGiveUp }) {
  return Array.from({ length: count }, (_, index) =>
    supervise({
      name: count === 1 ? kind : `${kind}-${index + 1}`,
      app: kind,
      environment: () => env,
      isReady: says(`${kind.replace('-', ' ')} ready`),
      graceMs: WORKER_GRACE_MS,
      onGiveUp,
    }),
  );
}

/**
 * The demo lab and model. `ready` resolves with what the demo says about itself. It picks its own ports the
 * first time; started again it gets the same ones, because the other processes know it by them.
 */
export function startDemo({ settings, onGiveUp }) {
  let ports;
  const demo = supervise({
    name: 'demo',
    app: 'demo',
    environment: () => settings(ports),
    isReady: says('demo ready'),
    graceMs: GATEWAY_GRACE_MS,
    onGiveUp,
  });
  const ready = demo.ready.then((line) => {
    const { gns3Url, modelUrl, projectId } = parseLogLine(line);
    ports = { gns3: new URL(gns3Url).port, model: new URL(modelUrl).port };
    return { gns3Url, modelUrl, projectId };
  });
  ready.catch(() => undefined);
  return { ...demo, ready };
}
