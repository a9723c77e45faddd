import type { NestExpressApplication } from '@nestjs/platform-express';

/** The port cannot be had; the message says which and what to do. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

/** Starts serving and returns the address. */
export async function listen(app: NestExpressApplication, port: number, host: string): Promise<string> {
  try {
    await app.listen(port, host);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') throw error;
    throw new PortTakenError(
      `port ${port} of ${host} is taken by another process. End that one, or set PORT to a free port.`,
      { cause: error },
    );
  }
  return app.getUrl();
}
