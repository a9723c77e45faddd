import { LaunchError } from './launch-error.mjs';
import { runCommand } from './run-command.mjs';

/**
 * Postgres refuses to run as root, so root's Postgres runs as `nobody`: `{ uid, gid }`. For an ordinary user
 * both are undefined: it runs as that user.
 */
export async function postgresUser() {
  if (process.getuid?.() !== 0) return { uid: undefined, gid: undefined };
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => runCommand('id', [flag, 'nobody'])));
  if (uid.code !== 0 || gid.code !== 0) {
    throw new LaunchError(
      'Postgres cannot run as root, and there is no user `nobody` to run it as: set DATABASE_URL.',
    );
  }
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}
