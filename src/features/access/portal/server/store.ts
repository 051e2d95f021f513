// SQL of portal links and their sessions. Only the digests of tokens are stored.
import { sql, type Kysely } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Language } from '#kernel/language.ts';
import type { ActingPortal, Actor, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Database } from '#platform/server/database/db.ts';
import type { OpenedPortal, PortalPage, PortalSession, PortalTheme } from '../contract.ts';

export type NewLink = {
  readonly organizationId: Id<'org'>;
  readonly pages: readonly PortalPage[];
  readonly mayChange: boolean;
  readonly language: Language;
  readonly theme: PortalTheme;
  readonly returnUrl: string | null;
  readonly origins: readonly string[];
  readonly actor: string;
  readonly createdBy: Id<'usr'>;
  readonly keyId: Id<'key'> | null;
  readonly tokenHash: Buffer;
  readonly expiresAt: Date;
  readonly sessionMinutes: number;
};

/**
 * Adds a link, and deletes those of the organization that ended before `forgetBefore`; the audit log keeps
 * who created them.
 */
export async function insertLink(ctx: Ctx, link: NewLink, forgetBefore: Date): Promise<Id<'plk'>> {
  const linkId = ctx.newId('plk');
  await sql`delete from portal_link where organization_id = ${link.organizationId} and greatest(expires_at, session_ends_at) < ${forgetBefore}`.execute(
    ctx.db,
  );
  await sql`insert into portal_link (id, organization_id, pages, may_change, language, mode, accent, return_url, origins, actor, created_by, key_id, created_at, token_hash, expires_at, session_minutes)
    values (${linkId}, ${link.organizationId}, ${[...link.pages]}::text[], ${link.mayChange}, ${link.language}, ${link.theme.mode}, ${link.theme.accent}, ${link.returnUrl}, ${[...link.origins]}::text[], ${link.actor}, ${link.createdBy}, ${link.keyId}, ${ctx.now}, ${link.tokenHash}, ${link.expiresAt}, ${link.sessionMinutes})`.execute(
    ctx.db,
  );
  return linkId;
}

/**
 * Whether a link `p` is active: it is not revoked, its organization is not closed, and its creator may still
 * create links, with the key used at the time.
 */
const inForce = (
  now: Date,
) => sql`p.revoked_at is null and o.closed_at is null and u.status = 'active' and u.role = 'Admin'
  and (u.custom_role_id is null or exists (select from custom_role r where r.id = u.custom_role_id and 'portal:write' = any(r.permissions)))
  and (p.key_id is null or exists (select from api_key k where k.id = p.key_id and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}) and 'portal:write' = any(k.permissions)))`;
const parts = sql`portal_link p join organization o on o.id = p.organization_id join app_user u on u.id = p.created_by`;

export type Opening = Omit<OpenedPortal, 'token' | 'theme' | 'pages'> & {
  readonly pages: PortalPage[];
  readonly mode: PortalTheme['mode'];
  readonly accent: string | null;
};

/** Opens an unopened link; of concurrent requests, the first succeeds. Undefined when it cannot be opened. */
export async function openLinkRow(
  ctx: Ctx,
  tokenHash: Buffer,
  sessionHash: Buffer,
): Promise<Opening | undefined> {
  const { rows } =
    await sql<Opening>`update portal_link l set used_at = ${ctx.now}, session_hash = ${sessionHash}, session_ends_at = ${ctx.now}::timestamptz + make_interval(mins => l.session_minutes)
    from ${parts} where p.id = l.id and l.token_hash = ${tokenHash} and l.used_at is null and l.expires_at > ${ctx.now} and ${inForce(ctx.now)}
    returning l.session_ends_at as "expiresAt", l.id as "linkId", l.organization_id as "organizationId", o.name as organization, l.pages, l.may_change as "mayChange", l.language, l.mode, l.accent, l.return_url as "returnUrl", l.origins`.execute(
      ctx.db,
    );
  return rows[0];
}

/** Returns the reason why a link cannot be opened. */
export async function closedBecause(ctx: Ctx, tokenHash: Buffer): Promise<'invalid' | 'used' | 'expired'> {
  const { rows } = await sql<{ isUsed: boolean; isLate: boolean }>`
    select used_at is not null as "isUsed", expires_at <= ${ctx.now} as "isLate" from portal_link where token_hash = ${tokenHash}`.execute(
    ctx.db,
  );
  const [found] = rows;
  if (!found) return 'invalid';
  if (found.isUsed) return 'used';
  return found.isLate ? 'expired' : 'invalid';
}

/** The actor of a link's open session. */
export type PortalActor = Extract<Actor, { kind: 'user' }> & { readonly portal: ActingPortal };

/**
 * Returns the actors of open sessions, each with the digest by which it was found. Runs at every call, so
 * that a revoked session ends at once.
 */
export async function actorsOfPortals(
  { kysely }: Database,
  hashes: readonly Buffer[],
  now: Date,
): Promise<{ readonly hash: string; readonly actor: PortalActor }[]> {
  const { rows } = await sql<
    Omit<ActingPortal, 'linkId'> & {
      hash: Buffer;
      linkId: Id<'plk'>;
      organizationId: Id<'org'>;
      userId: Id<'usr'>;
      name: string;
      openedAt: Date;
    }
  >`--hot actors-of-portals
    select p.session_hash as hash, p.id as "linkId", p.pages, p.may_change as "mayChange", p.actor, p.organization_id as "organizationId", p.created_by as "userId", u.name, p.used_at as "openedAt" from ${parts}
    where p.session_hash = any(${[...hashes]}::bytea[]) and p.session_ends_at > ${now} and ${inForce(now)}`.execute(
    kysely,
  );
  return rows.map(({ hash, linkId, pages, mayChange, actor, organizationId, userId, name, openedAt }) => ({
    hash: hash.toString('hex'),
    actor: {
      kind: 'user',
      userId,
      sessionId: null,
      role: mayChange ? 'User' : 'ReadOnly',
      organizationId,
      name,
      provedAt: openedAt,
      mustEnrol: false,
      customRole: null,
      portal: { linkId, pages, mayChange, actor },
    },
  }));
}

/** Returns the pages and organization of a link's open session; undefined when it is over or revoked. */
export async function openLinkOf(
  db: Kysely<unknown>,
  linkId: Id<'plk'>,
  now: Date,
): Promise<{ readonly organizationId: Id<'org'>; readonly pages: PortalPage[] } | undefined> {
  const { rows } = await sql<{ organizationId: Id<'org'>; pages: PortalPage[] }>`
    select p.organization_id as "organizationId", p.pages from ${parts} where p.id = ${linkId} and p.session_ends_at > ${now} and ${inForce(now)}`.execute(
    db,
  );
  return rows[0];
}

/** Returns those of these links that no longer have an open session. */
export async function linksOver(
  db: Kysely<unknown>,
  linkIds: readonly string[],
  now: Date,
): Promise<string[]> {
  if (linkIds.length === 0) return [];
  const { rows } = await sql<{
    id: string;
  }>`select asked.id from unnest(${[...linkIds]}::text[]) as asked (id)
    where not exists (select from ${parts} where p.id = asked.id and p.session_ends_at > ${now} and ${inForce(now)})`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Returns the origins of a link that can still be opened, or whose session is open; empty for any other. */
export async function originsOfLink(db: Kysely<unknown>, linkId: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ origins: string[] }>`select p.origins from ${parts}
    where p.id = ${linkId} and (p.expires_at > ${now} or p.session_ends_at > ${now}) and ${inForce(now)}`.execute(
    db,
  );
  return rows[0]?.origins ?? [];
}

const mostShown = 100;

/** Returns an organization's links that can still be opened, and open sessions, newest first. */
export async function openSessionsOf(ctx: Ctx, organizationId: Id<'org'>): Promise<PortalSession[]> {
  const { rows } =
    await sql<PortalSession>`select p.id, p.pages, p.may_change as "mayChange", p.origins, p.actor, u.name as "createdBy", (select name from api_key k where k.id = p.key_id) as key, p.created_at as "createdAt",
      case when p.used_at is null then 'unopened' else 'open' end as state, coalesce(p.session_ends_at, p.expires_at) as "expiresAt" from ${parts}
    where p.organization_id = ${organizationId} and coalesce(p.session_ends_at, p.expires_at) > ${ctx.now} and ${inForce(ctx.now)} order by p.id desc limit ${mostShown}`.execute(
      ctx.db,
    );
  return rows;
}

/** Revokes a link and ends its session; false when the organization has no such active link. */
export async function revokeLinkRow(
  ctx: Ctx,
  organizationId: Id<'org'>,
  linkId: Id<'plk'>,
  by: string,
): Promise<boolean> {
  const { rows } = await sql`update portal_link set revoked_at = ${ctx.now}, revoked_by = ${by}
    where id = ${linkId} and organization_id = ${organizationId} and revoked_at is null and coalesce(session_ends_at, expires_at) > ${ctx.now} returning id`.execute(
    ctx.db,
  );
  return rows.length > 0;
}
