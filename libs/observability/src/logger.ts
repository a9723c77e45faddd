import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** Fields whose values are never written, at any of the depths we log objects with. */
const SECRET_FIELDS = ['apiKey', 'api_key', 'token', 'password', 'authorization', 'cookie', 'jwt', 'secret'];

const REDACTED_PATHS = SECRET_FIELDS.flatMap((field) => [
  field,
  `*.${field}`,
  `*.*.${field}`,
  `req.headers.${field}`,
]);

/** A failed query's own error repeats the query's parameters, prompts among them; its cause does not. */
function withoutParameters(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.startsWith('Failed query:')) return error;
  return error.cause ?? new Error('a query failed');
}

/**
 * JSON lines on stdout: a constant message, fields for the rest, secrets censored. An error is logged with
 * its class, message and stack; its other properties (drivers hang queries and parameters on them) are not.
 */
export function createLogger(app: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { app, pid: process.pid },
    redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
    serializers: {
      err: (error: unknown) => {
        const shown = withoutParameters(error);
        return shown instanceof Error
          ? { type: shown.name, message: shown.message, stack: shown.stack }
          : stdSerializers.err(new Error(String(shown)));
      },
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
