import { Gns3Client, Gns3Error } from '@copilot/gns3';
import type { Logger } from '@copilot/observability';
import { ApiError, notFound } from '../errors/api-error';

/** A burst of messages asks the server once; a project that was just closed is noticed this late. */
const CACHE_MS = 2_000;
/** A server that is slower than this does not hold the request up: the run finds out by itself. */
const PATIENCE_MS = 2_000;
const MAX_CACHED = 1_000;

/** What the server said: a status, that there is no such project, or nothing usable. */
type Verdict =
  { readonly kind: 'status'; readonly status: string } | { readonly kind: 'missing' | 'unknown' };

interface CachedVerdict {
  readonly verdict: Promise<Verdict>;
  readonly until: number;
}

/** Lets a request through if its project exists and is opened, as far as the GNS3 server can be asked. */
export class ProjectGate {
  private readonly cache = new Map<string, CachedVerdict>();

  constructor(
    private readonly gns3: Pick<Gns3Client, 'getProject'>,
    private readonly logger: Logger,
  ) {}

  /**
   * `purpose` completes "Project must be opened to ...". A server that cannot be asked lets the request
   * through: its run then ends with an error event that says what is wrong and stays in the history.
   */
  async assertOpened(projectId: string, purpose: string): Promise<void> {
    const verdict = await this.verdictOn(projectId);
    if (verdict.kind === 'missing') throw notFound(`Project ID ${projectId} doesn't exist`);
    if (verdict.kind === 'status' && verdict.status !== 'opened') {
      throw new ApiError(403, `Project must be opened to ${purpose}. Current status: ${verdict.status}`);
    }
  }

  private verdictOn(projectId: string): Promise<Verdict> {
    const now = performance.now();
    const cached = this.cache.get(projectId);
    if (cached && cached.until > now) return cached.verdict;
    if (this.cache.size >= MAX_CACHED) this.cache.clear();
    const verdict = this.ask(projectId);
    this.cache.set(projectId, { verdict, until: now + CACHE_MS });
    return verdict;
  }

  private async ask(projectId: string): Promise<Verdict> {
    try {
      const { status } = await this.gns3.getProject(projectId, AbortSignal.timeout(PATIENCE_MS));
      return { kind: 'status', status };
    } catch (error) {
      if (error instanceof Gns3Error && error.code === 'not_found') return { kind: 'missing' };
      this.logger.warn({ err: error, projectId }, 'project could not be checked, its run is accepted');
      return { kind: 'unknown' };
    }
  }
}
