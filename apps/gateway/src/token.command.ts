import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { signJwt } from './auth/jwt';
import { identityFromClaims } from './auth/jwt-claims';
import { MIN_JWT_SECRET_CHARS } from './settings';

/**
 * `npm run token -- --project all` prints a token for AUTH_MODE=jwt, signed with JWT_SECRET. For development
 * and for scripts; whoever has users signs tokens where the users log in.
 */
const USAGE = `JWT_SECRET=... npm run token -- [options]
  --user UUID             whose token; left out, a new user
  --project UUID|all      may use this project; repeat it for more
  --superadmin            may use everything
  --group UUID=NAME       is in this group; repeat it for more
  --group-privilege NAME  Group.Audit or Group.Modify, on every group
  --hours N               how long it is valid; 12 when left out`;

function mint(secret: string | undefined, args: readonly string[]): string {
  const { values } = parseArgs({
    args: [...args],
    options: {
      user: { type: 'string', default: randomUUID() },
      project: { type: 'string', multiple: true, default: [] },
      superadmin: { type: 'boolean', default: false },
      group: { type: 'string', multiple: true, default: [] },
      'group-privilege': { type: 'string', multiple: true, default: [] },
      hours: { type: 'string', default: '12' },
    },
  });
  if (secret === undefined || secret.length < MIN_JWT_SECRET_CHARS) {
    throw new Error(`JWT_SECRET must be set, ${MIN_JWT_SECRET_CHARS} characters or more`);
  }
  const hours = Number(values.hours);
  if (!(hours > 0 && hours <= 24 * 365)) throw new Error('--hours must be a number up to 8760');
  const claims = {
    sub: values.user,
    exp: Math.floor(Date.now() / 1_000 + hours * 3_600),
    superadmin: values.superadmin,
    projects: values.project.includes('all') ? 'all' : values.project,
    groups: values.group.map((text) => {
      const [id = '', ...name] = text.split('=');
      return { id, name: name.join('=') };
    }),
    group_privileges: values['group-privilege'],
  };
  if (!identityFromClaims(claims)) throw new Error('an id is not a UUID, or a privilege is not known');
  return signJwt(claims, secret);
}

try {
  console.log(mint(process.env.JWT_SECRET, process.argv.slice(2)));
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 1;
}
