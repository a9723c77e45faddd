import type { NestExpressApplication } from '@nestjs/platform-express';
import { StartupError } from './startup-error';

/** Starts serving and returns the address. */
export async function listen(app: NestExpressApplication, port: number, host: string): Promise<string> {
  try {
    await app.listen(port, host);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new StartupError(`Port ${port} of ${host} is taken by another process. Set PORT to a free one.`);
    }
    if (code === 'EACCES') throw new StartupError(`Port ${port} of ${host} may not be used by this user.`);
    throw error;
  }
  return app.getUrl();
}
