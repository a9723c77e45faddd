import { connect as connectTcp } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { LaunchError } from './launch-error.mjs';
import { say } from './terminal.mjs';

const TRY_FOR_MS = 30_000;
const RETRY_MS = 2_000;
const ANSWER_TIMEOUT_MS = 3_000;

/** Postgres's SSLRequest: a server answers one byte, S or N, before any login. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

const protocols = {
  'redis:': {
    port: 6379,
    tls: false,
    hello: 'PING\r\n',
    isAnswer: (text) => /^(\+PONG|-NOAUTH|-NOPERM)/.test(text),
  },
  'rediss:': {
    port: 6379,
    tls: true,
    hello: 'PING\r\n',
    isAnswer: (text) => /^(\+PONG|-NOAUTH|-NOPERM)/.test(text),
  },
  'postgres:': { port: 5432, tls: false, hello: SSL_REQUEST, isAnswer: (text) => /^[SN]/.test(text) },
};
protocols['postgresql:'] = protocols['postgres:'];

/** A URL to show: everything but the password, also one given as a parameter. */
export function withoutPassword(url) {
  // A cluster's nodes, which no URL can hold.
  if (!URL.canParse(url)) return url.replace(/:[^:@/]*@/, ':***@');
  const shown = new URL(url);
  if (shown.password !== '') shown.password = '***';
  if (shown.searchParams.has('password')) shown.searchParams.set('password', '***');
  return shown.href;
}

/** A URL for each host of `redis://a:1,b:2`; of any other, itself. */
function urlsOf(text) {
  const [, before, hosts, after] = /^(rediss?:\/\/(?:[^/?#@]*@)?)([^/?#@]+)(.*)$/.exec(text) ?? [];
  return hosts === undefined ? [text] : hosts.split(',').map((host) => `${before}${host}${after}`);
}

function parse(name, text) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const protocol = url && protocols[url.protocol];
  if (protocol && (protocol.hello === SSL_REQUEST) === (name === 'DATABASE_URL')) return { url, protocol };
  const example =
    name === 'REDIS_URL' ? 'redis://127.0.0.1:6379' : 'postgres://user:password@127.0.0.1:5432/database';
  throw new LaunchError(`${name} is not a URL of the form ${example}`);
}

function target(url, protocol) {
  const socketFolder = url.searchParams.get('host');
  const port = Number(url.port) || protocol.port;
  if (socketFolder?.startsWith('/')) return { path: `${socketFolder}/.s.PGSQL.${port}` };
  return { host: url.hostname.replace(/^\[|\]$/g, '') || '127.0.0.1', port };
}

/** Resolves with null when the service answered, else with the reason why not. */
function askOnce({ url, protocol }) {
  return new Promise((resolve) => {
    // Whether the certificate is good is for the apps to judge; here only "is something there" counts.
    const options = { ...target(url, protocol), rejectUnauthorized: false };
    const socket = protocol.tls ? connectTls(options) : connectTcp(options);
    const end = (result) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => end('no answer'));
    socket.once('error', (error) => end(error.code ?? error.message));
    socket.once('close', () => end('closed the connection'));
    socket.write(protocol.hello);
    socket.once('data', (data) => {
      const text = data.toString('latin1');
      end(protocol.isAnswer(text) ? null : `answered ${JSON.stringify(text.slice(0, 60))}`);
    });
  });
}

/**
 * Waits until the service that the setting `name` names answers, of a cluster one of its nodes: about 30 s, saying so
 * meanwhile, then an error with the URL without its password. `assertGoingOn` is asked between the tries and may throw.
 */
export async function waitForExternal(
  name,
  text,
  { assertGoingOn, tryForMs = TRY_FOR_MS, retryMs = RETRY_MS },
) {
  const services = urlsOf(text).map((url) => parse(name, url));
  const giveUpAt = Date.now() + tryForMs;
  for (;;) {
    const reasons = await Promise.all(services.map(askOnce));
    // Of a cluster one node is enough: whether the others are needed is for the apps to judge.
    if (reasons.includes(null)) return;
    const why = [...new Set(reasons)].join(', ');
    assertGoingOn();
    const shown = withoutPassword(text);
    if (Date.now() >= giveUpAt) {
      throw new LaunchError(`${name} ${shown} could not be reached within ${tryForMs / 1000} s: ${why}`);
    }
    say(`  waiting for ${name} ${shown}: ${why}`);
    await delay(retryMs);
  }
}
