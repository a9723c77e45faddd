import type { OpenAPIObject } from '@nestjs/swagger';

/** One route of the API document, in one of its spellings. */
export interface Route {
  readonly method: string;
  /** With `{parameters}`. */
  readonly path: string;
  /** Method and path in the shorter spelling: the same for both. */
  readonly name: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export function routesOf(document: OpenAPIObject): Route[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((verb) => {
      const method = verb.toUpperCase();
      return { method, path, name: `${method} ${path.replace(/^\/v3\/(copilot|access)\//, '/v3/')}` };
    }),
  );
}

/** Whose a thing is that a route is about, read off its parameters. */
export type Ownership = 'public' | 'project' | 'session' | 'run' | 'user' | 'group' | 'service' | 'unknown';

/** Routes that anybody may call; whoever adds one says so here. */
const PUBLIC = ['GET /health/live', 'GET /health/ready'];

/** Routes about the service itself, for its administrators. */
const ADMINISTRATION = ['POST /v3/reload/skills'];

export function ownershipOf({ name, path }: Route): Ownership {
  if (PUBLIC.includes(name)) return 'public';
  if (ADMINISTRATION.includes(name)) return 'service';
  const kinds = ['run', 'session', 'group', 'user', 'project'] as const;
  return kinds.find((kind) => path.includes(`{${kind}_id}`)) ?? 'unknown';
}
