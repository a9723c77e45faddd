import { z } from 'zod';
import { GROUP_PRIVILEGES, type Identity } from './caller';

const uuid = z.guid().transform((id) => id.toLowerCase());

/** The claims of AUTH_MODE=jwt besides `exp` and `nbf`; docs/auth.md describes them. */
const claimsSchema = z.object({
  sub: uuid,
  superadmin: z.boolean().default(false),
  /** Left out means none: a token allows what it names. */
  projects: z.union([z.literal('all'), z.array(uuid)]).default([]),
  groups: z.array(z.object({ id: uuid, name: z.string() })).default([]),
  group_privileges: z.array(z.enum(GROUP_PRIVILEGES)).default([]),
});
export type JwtClaims = z.input<typeof claimsSchema>;

/** Who the claims say the caller is; nothing if they cannot be read. */
export function identityFromClaims(claims: unknown): Identity | undefined {
  const parsed = claimsSchema.safeParse(claims);
  if (!parsed.success) return undefined;
  const { sub, superadmin, projects, groups, group_privileges: groupPrivileges } = parsed.data;
  return {
    userId: sub,
    isSuperadmin: superadmin,
    grants: { projects: superadmin ? 'all' : projects, groups, groupPrivileges },
  };
}
