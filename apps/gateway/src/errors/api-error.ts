import { HttpException } from '@nestjs/common';

/**
 * An answer that is not a success: its status and the text for the client. Own code throws nothing else
 * for these, so that Nest's exceptions stand for what Nest found wrong, an unknown route for one.
 */
export class ApiError extends HttpException {
  override readonly name = 'ApiError';

  constructor(
    status: number,
    override readonly message: string,
    /** Fields beside `message`, and headers, where the contract has some. */
    readonly extras: { readonly body?: Record<string, string>; readonly retryAfterSeconds?: number } = {},
  ) {
    super(message, status);
  }
}

export const notFound = (message: string) => new ApiError(404, message);
export const unprocessable = (message: string) => new ApiError(422, message);
/** A store that the request needs is away. */
export const unavailable = (what: string, consequence = '') =>
  new ApiError(503, `${what} cannot be reached at the moment. ${consequence}Try again in a few seconds.`, {
    retryAfterSeconds: 5,
  });
