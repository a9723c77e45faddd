import { parseArgs } from 'node:util';
import { LaunchError } from './launch-error.mjs';

export const HELP = `npm start -- [options]

  --no-demo     without the demo lab and the demo model; needs GNS3_URL
  --data DIR    keep the data of the private Redis and Postgres in DIR
  --port N      port of the gateway (or PORT; default: the first free one from 3090)
  --nodes N     number of nodes in the demo lab
  --agents N    number of agent worker processes (default 1)
  --tools N     number of tool worker processes (default 1)
  --help        this text

REDIS_URL and DATABASE_URL name services to use instead of private ones.
Every other setting of the service may be given in the environment too.`;

const MAX_PORT = 65_535;
const MAX_WORKERS = 64;
const MAX_DEMO_NODES = 500;

function wholeNumber(text, name, max) {
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= max) return value;
  throw new LaunchError(`${name} must be a whole number from 1 to ${max}, not ${JSON.stringify(text)}`);
}

function parse(args) {
  const value = { type: 'string' };
  const flag = { type: 'boolean', default: false };
  try {
    return parseArgs({
      args,
      options: {
        'no-demo': flag,
        help: flag,
        data: value,
        port: value,
        nodes: value,
        agents: value,
        tools: value,
      },
      strict: true,
      allowPositionals: false,
    }).values;
  } catch (error) {
    throw new LaunchError(`${error.message}\nnpm start -- --help lists the options.`);
  }
}

/** Options of `npm start` from its arguments and environment; `port` is undefined where none was asked for. */
export function parseStartOptions(args, env) {
  const values = parse(args);
  const options = {
    help: values.help,
    demo: !values['no-demo'],
    dataDir: values.data,
    port: wholeNumber(values.port, '--port', MAX_PORT) ?? wholeNumber(env.PORT, 'PORT', MAX_PORT),
    nodes: wholeNumber(values.nodes, '--nodes', MAX_DEMO_NODES),
    agents: wholeNumber(values.agents, '--agents', MAX_WORKERS) ?? 1,
    tools: wholeNumber(values.tools, '--tools', MAX_WORKERS) ?? 1,
  };
  if (options.dataDir === '') throw new LaunchError('--data needs a folder');
  if (!options.demo && !options.help && !env.GNS3_URL) {
    throw new LaunchError(
      '--no-demo needs GNS3_URL, for example GNS3_URL=http://127.0.0.1:3080 npm start -- --no-demo',
    );
  }
  return options;
}
