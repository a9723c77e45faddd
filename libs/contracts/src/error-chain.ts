export interface ErrorLink {
  readonly error: object;
  readonly name: string;
  readonly message: string;
  /** Node's or a driver's code, such as `ECONNREFUSED`. */
  readonly code: string | undefined;
}

/**
 * An error and its causes, outermost first. Reads properties and not classes: errors of Node's core are of
 * another `Error` where code runs in a context of its own.
 */
export function* errorChain(error: unknown): Generator<ErrorLink, void, undefined> {
  const seen = new Set<object>();
  for (let link = error; typeof link === 'object' && link !== null && !seen.has(link);) {
    seen.add(link);
    yield {
      error: link,
      name: textOf(link, 'name') ?? '',
      message: textOf(link, 'message') ?? '',
      code: textOf(link, 'code'),
    };
    link = 'cause' in link ? link.cause : undefined;
  }
}

function textOf(link: object, property: string): string | undefined {
  const value: unknown = Reflect.get(link, property);
  return typeof value === 'string' ? value : undefined;
}
