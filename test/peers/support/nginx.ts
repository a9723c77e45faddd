import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNginx } from '../../../scripts/lib/peers.mjs';
import { freePort } from '../../support/free-port';
import { PeerProcess } from './peer-process';

export interface Upstreams {
  readonly gatewayPort: number;
  readonly gns3Port: number;
  /** Seconds of silence after which nginx ends a request to the gateway; the recipe's own if left out. */
  readonly gatewaySilenceSeconds?: number;
}

/** Debian's nginx with deploy/nginx.conf as it is but for its addresses, as any user and in a folder of its own. */
export class Nginx {
  private constructor(
    private readonly process: PeerProcess,
    private readonly folder: string,
    readonly port: number,
  ) {}

  static async start(upstreams: Upstreams): Promise<Nginx> {
    const { command, env } = await findNginx();
    const folder = await mkdtemp(join(tmpdir(), 'copilot-nginx-'));
    const port = await freePort();
    await writeFile(join(folder, 'recipe.conf'), await recipe(port, upstreams));
    await writeFile(join(folder, 'nginx.conf'), around(folder));
    const args = ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'];
    const process = new PeerProcess('nginx', command, args, { env });
    const nginx = new Nginx(process, folder, port);
    await process.answers(`http://127.0.0.1:${port}/health-of-nobody`);
    return nginx;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function recipe(port: number, { gatewayPort, gns3Port, gatewaySilenceSeconds }: Upstreams) {
  const text = await readFile('deploy/nginx.conf', 'utf8');
  const changes: [string, string][] = [
    ['server 127.0.0.1:3090;', `server 127.0.0.1:${gatewayPort};`],
    ['server 127.0.0.1:3080;', `server 127.0.0.1:${gns3Port};`],
    ['listen 80;', `listen 127.0.0.1:${port};`],
    ['listen [::]:80;', ''],
  ];
  if (gatewaySilenceSeconds !== undefined) {
    changes.push(['proxy_read_timeout 3660s;', `proxy_read_timeout ${gatewaySilenceSeconds}s;`]);
  }
  return changes.reduce((changed, [from, to]) => {
    const parts = changed.split(from);
    if (parts.length !== 2) throw new Error(`deploy/nginx.conf has ${parts.length - 1} times ${from}`);
    return parts.join(to);
  }, text);
}

/** What a distribution's nginx.conf is around conf.d, in the foreground and in one folder. */
const around = (folder: string) => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  gzip on;
  include ${folder}/recipe.conf;
}
`;
