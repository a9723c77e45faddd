/**
 * Stands for each of the four apps: says that it is ready the way the real one does, notes in a journal when
 * it starts, gets a signal and ends, and dies on request. A file `<journal>.<app>.dies` makes it die at once.
 */
import { appendFileSync, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const app = basename(dirname(fileURLToPath(import.meta.url)));
const journal = process.env.LAUNCHER_TEST_JOURNAL;
const note = (what) => appendFileSync(journal, `${app} ${what} ${process.pid}\n`);
const log = (msg, fields) => process.stdout.write(`${JSON.stringify({ level: 30, msg, ...fields })}\n`);

function end(why) {
  note(why);
  process.exit(0);
}

if (existsSync(`${journal}.${app}.dies`)) process.exit(3);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    note(signal);
    // Long enough for a second signal to be noted, if one came.
    setTimeout(() => end('ended'), 100);
  });
}
process.stdin.on('end', () => end('orphaned')).resume();

let configs = [];
const answers = {
  'GET /health/ready': () => [200, {}],
  'GET /die': () => process.exit(9),
  'GET /configs': () => [200, { configs }],
  'POST /configs': (body) => {
    configs = [{ ...body, config_id: 'c1' }];
    note(`config:${body.base_url}`);
    return [201, configs[0]];
  },
};

function respond(request, body, response) {
  const path = request.url.endsWith('/llm-model-configs') ? '/configs' : request.url;
  if (path.endsWith('/chat/stream')) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('data: {"type":"tool_end"}\n\ndata: {"type":"done"}\n\n');
    return;
  }
  const [status, answer] = answers[`${request.method} ${path}`]?.(body) ?? [404, {}];
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

const server = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk) => (text += chunk));
  request.on('end', () => respond(request, text === '' ? undefined : JSON.parse(text), response));
});
const port = Number(app === 'gateway' ? process.env.PORT : app === 'demo' ? process.env.DEMO_GNS3_PORT : 0);
server.listen(port, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  note(`started ${url}`);
  if (app === 'demo') {
    log('demo ready', {
      gns3Url: url,
      modelUrl: `${url}/v1`,
      projectId: '11111111-2222-4333-8444-555555555555',
    });
  } else log(`${app.replace('-', ' ')} ready`);
});
