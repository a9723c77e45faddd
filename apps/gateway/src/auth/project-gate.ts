import { Gns3Error, type Gns3Client } from '@copilot/gns3';
import type { Logger } from '@copilot/observability';
import { ShortCache } from '../caching/short-cache';
import { ApiError, notFound, unavailable } from '../errors/api-error';
import { badCredentials } from './authenticator';
import type { Identity } from './caller';
import { permissionDenied } from './group-access';

/** A burst of messages asks the server once; a project that was just closed is noticed this late. */
const CACHE_MS = 2_000;
/** A server that is slower than this does not hold the request up. */
const PATIENCE_MS = 2_000;

/** What the server said about a project, or `unknown` when it could not be asked. */
type Verdict =
  | { readonly kind: 'status'; readonly status: string }
  | { readonly kind: 'missing' | 'forbidden' | 'unknown' };

/** Lets a request through if the caller may use its project, and if that is opened. */
export class ProjectGate {
  private readonly verdicts = new ShortCache<Verdict>(CACHE_MS);

  constructor(
    private readonly clients: { of(caller: Identity): Pick<Gns3Client, 'getProject'> },
    private readonly logger: Logger,
  ) {}

  /**
   * `purpose` completes "Project must be opened to ...". Where the service's own login acts on the lab, a
   * server that cannot be asked lets the request through: its run then ends with an error event that says
   * what is wrong and stays in the history.
   */
  async assertOpened(projectId: string, caller: Identity, purpose: string): Promise<void> {
    assertGranted(projectId, caller);
    const verdict = await this.verdictOn(projectId, caller);
    if (verdict.kind !== 'status') return assertNotRefused(verdict.kind, projectId, caller);
    if (verdict.status !== 'opened') {
      throw new ApiError(403, `Project must be opened to ${purpose}. Current status: ${verdict.status}`);
    }
  }

  /** For what can be looked at while the project is closed, and while its server is away. */
  async assertVisible(projectId: string, caller: Identity): Promise<void> {
    assertGranted(projectId, caller);
    if (caller.gns3Token === undefined) return;
    const { kind } = await this.verdictOn(projectId, caller);
    if (kind !== 'status') assertNotRefused(kind, projectId, caller);
  }

  private verdictOn(projectId: string, caller: Identity): Promise<Verdict> {
    const eyes = caller.gns3Token === undefined ? 'service' : caller.userId;
    return this.verdicts.get(`${eyes} ${projectId}`, () => this.ask(projectId, caller));
  }

  private async ask(projectId: string, caller: Identity): Promise<Verdict> {
    try {
      const { status } = await this.clients
        .of(caller)
        .getProject(projectId, AbortSignal.timeout(PATIENCE_MS));
      return { kind: 'status', status };
    } catch (error) {
      const { code, reason } = error instanceof Gns3Error ? error : {};
      if (code === 'not_found') return { kind: 'missing' };
      if (code === 'forbidden') return { kind: 'forbidden' };
      // Not to be remembered: the caller may come back with a new token at once.
      if (code === 'unauthorized' && caller.gns3Token !== undefined) throw badCredentials(reason);
      this.logger.warn({ err: error, projectId }, 'project could not be checked');
      return { kind: 'unknown' };
    }
  }
}

/** A token of our own names its projects. */
function assertGranted(projectId: string, { grants }: Identity): void {
  if (grants && grants.projects !== 'all' && !grants.projects.includes(projectId)) {
    throw permissionDenied('Project.Audit');
  }
}

function assertNotRefused(
  kind: Exclude<Verdict['kind'], 'status'>,
  projectId: string,
  { gns3Token }: Identity,
): void {
  if (kind === 'missing') throw notFound(`Project ID ${projectId} doesn't exist`);
  // The service's own rights are not the caller's fault; the run will say what is wrong with them.
  if (gns3Token === undefined) return;
  switch (kind) {
    case 'forbidden':
      throw permissionDenied('Project.Audit');
    case 'unknown':
      throw unavailable('The GNS3 server, which knows who may use the project,');
  }
}
