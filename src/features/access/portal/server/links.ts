// Creates, opens, lists and revokes links to an organization's own pages.
import { isPaleAccent } from '#kernel/accent.ts';
import type { In, Out } from '#kernel/contract.ts';
import { domainError, ValidationError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { dayMs } from '#kernel/durations.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationById, randomSecret } from '#features/access/identity/server/index.ts';
import { identityErrors, type Organization } from '#features/access/identity/contract.ts';
import {
  linkSeconds,
  longestSessionMinutes,
  portalErrors,
  portalPages,
  portalPaths,
  portalTokenPrefix,
  type portal,
} from '../contract.ts';
import { sessionTopic } from '../rules.ts';
import { safeReturnUrl } from './exact-origin.ts';
import { mayBeLocal, wantedOrigins } from './origins.ts';
import { originsSetting } from './settings.ts';
import { closedBecause, insertLink, openLinkRow, openSessionsOf, revokeLinkRow } from './store.ts';

type Calls = typeof portal;
/** How long a link that has ended stays in the database. */
const keptDays = 30;

/** @throws identity.organization_not_found */
async function knownOrganization(ctx: Ctx, organizationId: Id<'org'>): Promise<Organization> {
  const found = await organizationById(ctx.db, organizationId);
  if (!found) throw domainError(identityErrors, 'identity.organization_not_found');
  return found;
}

/** Normalizes the accent color. @throws portal.accent_pale when it would be invisible on the page */
function accentOf(accent: string | null): string | null {
  if (accent !== null && isPaleAccent(accent))
    throw domainError(portalErrors, 'portal.accent_pale', {}, ['theme.accent']);
  return accent?.toUpperCase() ?? null;
}

function returnUrlOf(ctx: Ctx, typed: string | undefined): string | null {
  if (typed === undefined) return null;
  const url = safeReturnUrl(typed, mayBeLocal(ctx));
  if (url === undefined) throw new ValidationError([{ field: 'returnUrl', code: 'portal.return_wrong' }]);
  return url;
}

/** Returns the link's own origins, each of which must be allowed. @throws portal.origin_not_allowed */
async function originsOf(ctx: Ctx, typed: readonly string[]): Promise<string[]> {
  const wanted = wantedOrigins(ctx, typed);
  const allowed = await ctx.setting(originsSetting);
  const refused = wanted.find((origin) => !allowed.includes(origin));
  if (refused !== undefined)
    throw domainError(portalErrors, 'portal.origin_not_allowed', { origin: refused }, ['origins']);
  return wanted;
}

export async function createLink(
  ctx: Ctx,
  input: In<Calls['createLink']>,
): Promise<Out<Calls['createLink']>> {
  const { organizationId, mayChange, actor = '', sessionMinutes = longestSessionMinutes } = input;
  const organization = await knownOrganization(ctx, organizationId);
  if (organization.closedAt) throw domainError(portalErrors, 'portal.organization_closed');
  const by = person(ctx);
  const token = randomSecret();
  const expiresAt = new Date(ctx.now.getTime() + linkSeconds * 1000);
  const link = {
    organizationId,
    pages: portalPages.filter((page) => input.pages.includes(page)),
    mayChange,
    language: input.language ?? organization.language,
    theme: { mode: input.theme?.mode ?? 'auto', accent: accentOf(input.theme?.accent ?? null) },
    returnUrl: returnUrlOf(ctx, input.returnUrl),
    origins: await originsOf(ctx, input.origins ?? []),
    actor,
    sessionMinutes,
  };
  const linkId = await insertLink(
    ctx,
    { ...link, createdBy: by.userId, keyId: by.key?.keyId ?? null, tokenHash: sha256(token), expiresAt },
    new Date(ctx.now.getTime() - keptDays * dayMs),
  );
  ctx.audit('portal.createLink', organizationId, {
    linkId,
    pages: link.pages,
    mayChange,
    origins: link.origins,
    ...(actor !== '' && { portalActor: actor }),
  });
  // The token is in the fragment, which browsers do not send: it appears in no log and no Referer header. The
  // link id selects the frame policy.
  const url = `${ctx.app.address()}${portalPaths.embed}?link=${linkId}#token=${token}`;
  return { id: linkId, url, expiresAt };
}

/**
 * Exchanges a link's token for a session, once.
 * @throws portal.link_invalid, portal.link_used, portal.link_expired
 */
export async function openLink(ctx: Ctx, { token }: In<Calls['openLink']>): Promise<Out<Calls['openLink']>> {
  const secret = `${portalTokenPrefix}${randomSecret()}`;
  const opened = await openLinkRow(ctx, sha256(token), sha256(secret));
  if (!opened) {
    const why = await closedBecause(ctx, sha256(token));
    throw domainError(portalErrors, `portal.link_${why}`);
  }
  const { mode, accent, ...rest } = opened;
  ctx.audit('portal.openLink', rest.organizationId, { linkId: rest.linkId });
  return { ...rest, token: secret, theme: { mode, accent } };
}

export async function listSessions(
  ctx: Ctx,
  { organizationId }: In<Calls['listSessions']>,
): Promise<Out<Calls['listSessions']>> {
  await knownOrganization(ctx, organizationId);
  return { items: await openSessionsOf(ctx, organizationId) };
}

export async function revokeSession(
  ctx: Ctx,
  { organizationId, portalLinkId }: In<Calls['revokeSession']>,
): Promise<null> {
  if (!(await revokeLinkRow(ctx, organizationId, portalLinkId, person(ctx).userId)))
    throw domainError(portalErrors, 'portal.session_not_found');
  ctx.publish(sessionTopic(portalLinkId), { kind: 'sessions', ended: portalLinkId });
  ctx.audit('portal.revokeSession', organizationId, { linkId: portalLinkId });
  return null;
}
