import type { Logger } from 'pino';
import { z } from 'zod';
import type { ConsoleRoom } from '../consoles/console-room';
import type { Failures } from '../failures';
import { parseJson, Routes, type HttpAnswer, type HttpHandler, type HttpRequest } from '../http/http-server';
import type { Lab } from '../lab/lab';
import type { NodePlan } from '../lab/lab-plan';
import { Accounts, type Account } from './accounts';
import { demoRoutes } from './demo-routes';
import { Gns3Refusal } from './gns3-error';
import { computeJson, linkJson, nodeJson, templatesJson } from './lab-json';
import { projectJson, Projects, type Project } from './projects';
import { addUserRoutes } from './user-routes';

export const GNS3_VERSION = '3.1.0a2';

const loginBody = z.object({ username: z.string(), password: z.string() });

const ok = (json: unknown): HttpAnswer => ({ status: 200, json });
const NO_CONTENT: HttpAnswer = { status: 204 };

export interface Gns3ApiOptions {
  readonly lab: Lab;
  readonly consoles: ConsoleRoom;
  readonly failures: Failures;
  readonly logger: Logger;
  readonly host: string;
  /** Known once the server listens. */
  readonly port: () => number;
}

/** The part of the GNS3 v3 API that a client of a running lab uses, and `/demo/*` for tests. */
export function gns3Api(options: Gns3ApiOptions): HttpHandler {
  const { failures } = options;
  const routes = labRoutes(options);
  const forTests = demoRoutes(options);
  return async (request, response) => {
    const isDemo = request.path.startsWith('/demo/');
    if (!isDemo) {
      if (failures.isOn('gns3-silent')) return undefined;
      await delay(failures.number('gns3-slow') ?? 0);
      if (failures.isOn('gns3-500')) return PROXY_ERROR;
    }
    const found = (isDemo ? forTests : routes).find(request.method, request.path);
    if (!found) return { status: 404, json: { detail: 'Not Found' } };
    try {
      return await found.handler({ ...request, params: found.params }, response);
    } catch (error) {
      if (!(error instanceof Gns3Refusal)) throw error;
      return { status: error.status, json: { message: error.message }, headers: error.headers };
    }
  };
}

const PROXY_ERROR: HttpAnswer = {
  status: 500,
  headers: { 'content-type': 'text/html' },
  text: '<html><body><h1>500 Internal Server Error</h1></body></html>',
};

async function delay(delayMs: number): Promise<void> {
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
}

function labRoutes({ lab, consoles, failures, host, port, logger }: Gns3ApiOptions): Routes {
  const accounts = new Accounts(failures);
  const projects = new Projects();

  const forUser =
    (handle: (request: HttpRequest, account: Account) => HttpAnswer | Promise<HttpAnswer>): HttpHandler =>
    (request) =>
      handle(request, accounts.authenticate(request));
  const forProject = (
    handle: (project: Project, request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>,
  ): HttpHandler =>
    forUser((request, account) => handle(projects.get(request.params['projectId'] ?? '', account), request));
  const forOpenProject = (handle: (project: Project) => HttpAnswer | Promise<HttpAnswer>): HttpHandler =>
    forUser((request, account) => handle(projects.opened(request.params['projectId'] ?? '', account)));
  const forNode = (
    handle: (node: NodePlan, project: Project) => HttpAnswer | Promise<HttpAnswer>,
  ): HttpHandler =>
    forUser((request, account) => {
      const project = projects.opened(request.params['projectId'] ?? '', account);
      return handle(findNode(lab, project, request.params['nodeId'] ?? ''), project);
    });
  const withPower = (turn: PowerTurn): HttpHandler =>
    forNode(async ({ name }) => {
      switchPower(lab, name, turn);
      if (turn !== 'on') await consoles.cut(name);
      await consoles.update();
      logger.info({ node: name, turn }, 'node power');
      return NO_CONTENT;
    });
  const json = (node: NodePlan, project: Project): Record<string, unknown> =>
    nodeJson(node, {
      projectId: project.projectId,
      status: lab.status(node.name),
      console: consoles.port(node.name),
      consoleHost: host,
    });
  const setStatus = (status: Project['status']): HttpHandler =>
    forProject((project) => {
      project.status = status;
      return status === 'opened' ? { status: 201, json: projectJson(project) } : NO_CONTENT;
    });

  return addUserRoutes(new Routes(), accounts)
    .on('GET', '/v3/version', () => ok({ controller_host: host, version: GNS3_VERSION, local: true }))
    .on('POST', '/v3/access/users/login', (request) =>
      ok(login(accounts, Object.fromEntries(new URLSearchParams(request.body)))),
    )
    .on('POST', '/v3/access/users/authenticate', (request) => ok(login(accounts, parseJson(request.body))))
    .on(
      'GET',
      '/v3/projects',
      forUser((_request, account) => ok(projects.visibleTo(account).map(projectJson))),
    )
    .on(
      'GET',
      '/v3/projects/:projectId',
      forProject((project) => ok(projectJson(project))),
    )
    .on('POST', '/v3/projects/:projectId/open', setStatus('opened'))
    .on('POST', '/v3/projects/:projectId/close', setStatus('closed'))
    .on(
      'GET',
      '/v3/projects/:projectId/nodes',
      forOpenProject((project) => ok(nodesOf(lab, project).map((node) => json(node, project)))),
    )
    .on(
      'GET',
      '/v3/projects/:projectId/nodes/:nodeId',
      forNode((node, project) => ok(json(node, project))),
    )
    .on('POST', '/v3/projects/:projectId/nodes/:nodeId/start', withPower('on'))
    .on('POST', '/v3/projects/:projectId/nodes/:nodeId/stop', withPower('off'))
    .on('POST', '/v3/projects/:projectId/nodes/:nodeId/suspend', withPower('suspend'))
    .on('POST', '/v3/projects/:projectId/nodes/:nodeId/reload', withPower('off and on'))
    .on(
      'GET',
      '/v3/projects/:projectId/links',
      forOpenProject((project) =>
        ok(project.hasLab ? lab.plan.links.map((link) => linkJson(lab.plan, link, project.projectId)) : []),
      ),
    )
    .on(
      'GET',
      '/v3/templates',
      forUser(() => ok(templatesJson())),
    )
    .on(
      'GET',
      '/v3/computes',
      forUser(() => ok([computeJson(host, port())])),
    );
}

type PowerTurn = 'on' | 'off' | 'off and on' | 'suspend';

function switchPower(lab: Lab, name: string, turn: PowerTurn): void {
  if (turn === 'suspend') lab.suspend(name);
  if (turn === 'off' || turn === 'off and on') lab.powerOff(name);
  if (turn === 'on' || turn === 'off and on') lab.powerOn(name);
}

function nodesOf(lab: Lab, project: Project): readonly NodePlan[] {
  return project.hasLab ? lab.plan.nodes : [];
}

function findNode(lab: Lab, project: Project, nodeId: string): NodePlan {
  const node = nodesOf(lab, project).find((each) => each.nodeId === nodeId.toLowerCase());
  if (!node) throw new Gns3Refusal(404, `Node ID ${nodeId} doesn't exist`);
  return node;
}

function login(accounts: Accounts, body: unknown): unknown {
  const parsed = loginBody.safeParse(body);
  if (!parsed.success) throw new Gns3Refusal(422, z.prettifyError(parsed.error));
  return accounts.login(parsed.data.username, parsed.data.password);
}
