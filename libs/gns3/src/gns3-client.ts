import { z } from 'zod';
import { apiBase } from './base-url';
import { Gns3Error, errorFromResponse } from './gns3-error';
import { exchange, type HttpAnswer } from './http';
import * as schemas from './schemas';
import { ServiceLogin } from './service-login';

/** The service's own account, or a caller's token that is used as it is and never renewed. */
export type Gns3Credentials = { username: string; password: string } | { token: string };

export interface Gns3ClientOptions {
  /** With or without a trailing slash or `/v3`. */
  baseUrl: string;
  credentials: Gns3Credentials;
  /** Longest wait for each answer; 10 s when left out. */
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * The GNS3 v3 REST API, as far as this service uses it. Every call takes an abort signal, ends within the
 * time limit, and throws `Gns3Error` on failure. A service login is made on first use and renewed once when
 * the server rejects its token; the call is then repeated once.
 */
export class Gns3Client {
  readonly #base: string;
  readonly #timeoutMs: number;
  readonly #renewable: boolean;
  readonly #tokenOf: (rejected?: string) => Promise<string>;

  constructor({ baseUrl, credentials, timeoutMs = DEFAULT_TIMEOUT_MS }: Gns3ClientOptions) {
    this.#base = apiBase(baseUrl);
    this.#timeoutMs = timeoutMs;
    if ('token' in credentials) {
      const { token } = credentials;
      this.#renewable = false;
      this.#tokenOf = async () => token;
    } else {
      const login = new ServiceLogin(() => this.logIn(credentials.username, credentials.password));
      this.#renewable = true;
      this.#tokenOf = (rejected) => login.token(rejected);
    }
  }

  /** Host of the server, where consoles listen that have no usable address of their own. */
  get serverHost(): string {
    return new URL(this.#base).hostname;
  }

  getVersion(signal?: AbortSignal): Promise<schemas.Gns3Version> {
    return this.read('/version', 'read its version', schemas.versionSchema, signal);
  }

  currentUser(signal?: AbortSignal): Promise<schemas.Gns3User> {
    return this.read('/access/users/me', 'read the current user', schemas.userSchema, signal);
  }

  /** Needs the privilege User.Audit. */
  getUser(userId: string, signal?: AbortSignal): Promise<schemas.Gns3User> {
    return this.read(user(userId), 'read the user', schemas.userSchema, signal);
  }

  /** Needs the privilege Group.Audit. */
  groupsOfUser(userId: string, signal?: AbortSignal): Promise<schemas.Gns3Group[]> {
    return this.read(
      `${user(userId)}/groups`,
      'read the groups of the user',
      z.array(schemas.groupSchema),
      signal,
    );
  }

  /**
   * Resolves if this login has the privilege on the group, as the server itself decides; rejects with the code
   * `forbidden` if not and `not_found` if there is no such group. Changing is tried with a body that the server
   * can only refuse: it looks at the privilege first, and then at the body. Whoever may change a group has to be
   * able to read it, too.
   */
  async assertGroupPrivilege(
    groupId: string,
    privilege: 'Group.Audit' | 'Group.Modify',
    signal?: AbortSignal,
  ): Promise<void> {
    const path = `/access/groups/${encodeURIComponent(groupId)}`;
    if (privilege === 'Group.Modify') await this.tryToChange(path, signal);
    await this.read(path, 'read the group', schemas.groupSchema, signal);
  }

  getProject(projectId: string, signal?: AbortSignal): Promise<schemas.Gns3Project> {
    return this.read(project(projectId), 'read the project', schemas.projectSchema, signal);
  }

  async openProject(projectId: string, signal?: AbortSignal): Promise<schemas.Gns3Project> {
    const action = 'open the project';
    const answer = await this.send('POST', `${project(projectId)}/open`, action, signal);
    return parse(action, answer, schemas.projectSchema);
  }

  listNodes(projectId: string, signal?: AbortSignal): Promise<schemas.Gns3Node[]> {
    return this.read(`${project(projectId)}/nodes`, 'list the nodes', z.array(schemas.nodeSchema), signal);
  }

  getNode(projectId: string, nodeId: string, signal?: AbortSignal): Promise<schemas.Gns3Node> {
    const path = `${project(projectId)}/nodes/${encodeURIComponent(nodeId)}`;
    return this.read(path, 'read the node', schemas.nodeSchema, signal);
  }

  listLinks(projectId: string, signal?: AbortSignal): Promise<schemas.Gns3Link[]> {
    return this.read(`${project(projectId)}/links`, 'list the links', z.array(schemas.linkSchema), signal);
  }

  listTemplates(signal?: AbortSignal): Promise<schemas.Gns3Template[]> {
    return this.read('/templates', 'list the templates', z.array(schemas.templateSchema), signal);
  }

  listComputes(signal?: AbortSignal): Promise<schemas.Gns3Compute[]> {
    return this.read('/computes', 'list the computes', z.array(schemas.computeSchema), signal);
  }

  private async tryToChange(path: string, signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.send('PUT', path, 'change the group', signal, NO_GROUP);
    } catch (error) {
      if (!(error instanceof Gns3Error) || error.status !== 422) throw error;
    }
  }

  private async read<T>(
    path: string,
    action: string,
    schema: z.ZodType<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    return parse(action, await this.send('GET', path, action, signal), schema);
  }

  /** Sends a call with the present token; on 401 once more with a renewed one. */
  private async send(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    action: string,
    signal: AbortSignal | undefined,
    body?: unknown,
  ): Promise<HttpAnswer> {
    const call = (token: string) =>
      exchange({ method, url: this.#base + path, action, token, body, timeoutMs: this.#timeoutMs, signal });
    // A shared login outlives the call that began it, so a caller that gives up only stops waiting.
    const token = await orAbort(this.#tokenOf(), signal);
    let answer = await call(token);
    if (answer.status === 401 && this.#renewable) {
      answer = await call(await orAbort(this.#tokenOf(token), signal));
    }
    if (answer.status < 200 || answer.status > 299)
      throw errorFromResponse(action, answer.status, answer.text);
    return answer;
  }

  private async logIn(username: string, password: string): Promise<string> {
    const action = 'log in';
    const answer = await exchange({
      method: 'POST',
      url: `${this.#base}/access/users/authenticate`,
      action,
      body: { username, password },
      timeoutMs: this.#timeoutMs,
    });
    if (answer.status === 401) {
      throw new Gns3Error(
        'unauthorized',
        `GNS3 refused the login of user '${username}': the user name or password is wrong.`,
        401,
      );
    }
    if (answer.status !== 200) throw errorFromResponse(action, answer.status, answer.text);
    return parse(action, answer, schemas.tokenSchema).access_token;
  }
}

/** Not an object, as a group would be. */
const NO_GROUP: readonly never[] = [];

function user(userId: string): string {
  return `/access/users/${encodeURIComponent(userId)}`;
}

function project(projectId: string): string {
  return `/projects/${encodeURIComponent(projectId)}`;
}

/** The answer as the schema wants it. The error names the field and never quotes the body. */
function parse<T>(action: string, { status, text }: HttpAnswer, schema: z.ZodType<T>): T {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Gns3Error(
      'bad_response',
      `GNS3 sent no JSON when asked to ${action}. Is it a v3 server?`,
      status,
    );
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue === undefined ? '' : ` (${issue.path.join('.') || 'body'}: ${issue.message})`;
  throw new Gns3Error(
    'bad_response',
    `GNS3 sent an unexpected answer when asked to ${action}${where}.`,
    status,
  );
}

function orAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(abortReason(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason));
}
