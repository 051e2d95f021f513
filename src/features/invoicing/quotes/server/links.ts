// The secret links with which quotes are read and accepted. The database holds only their digests.
import { hkdfSync } from 'node:crypto';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import { randomSecret } from '#features/access/identity/server/index.ts';
import { quotesPaths } from '../contract.ts';

type Linked = { readonly quoteId: Id<'qot'>; readonly version: number };

/**
 * 256 unguessable bits, derived from a random salt and the console's secret, which is not in the database
 * (file mode 0600). So the link can be shown again, although a copy of the database does not open any quote.
 */
function tokenOf(ctx: Ctx, { quoteId, version }: Linked, salt: string): string {
  const key = Buffer.from(ctx.app.secrets.accessTokenKey, 'base64url');
  return Buffer.from(hkdfSync('sha256', key, salt, `skytally quote ${quoteId} ${version}`, 32)).toString(
    'base64url',
  );
}

/** The stored data of a new link. */
export function newLink(ctx: Ctx, linked: Linked): { readonly linkSalt: string; readonly linkHash: Buffer } {
  const linkSalt = randomSecret();
  return { linkSalt, linkHash: sha256(tokenOf(ctx, linked, linkSalt)) };
}

/**
 * The path of a version's page; undefined for a draft, and if the console's secret has changed since it was
 * sent.
 */
export function pathOf(
  ctx: Ctx,
  version: Linked & { readonly linkSalt: string | null; readonly linkHash: Buffer | null },
): string | undefined {
  if (version.linkSalt === null || version.linkHash === null) return undefined;
  const token = tokenOf(ctx, version, version.linkSalt);
  return sha256(token).equals(version.linkHash) ? quotesPaths.open.replace(':token', token) : undefined;
}
