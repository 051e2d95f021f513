// SQL of federation: linked identities, used tokens, pending links.
import { sql, type Kysely } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { ExternalIdentity } from '../contract.ts';
import { linkAttempts } from '../rules.ts';

/** Identifies an external account by issuer and subject, never by its address, which can change hands. */
export type Upstream = {
  readonly source: ExternalIdentity['source'];
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
};
type Found = { readonly id: Id<'ext'>; readonly userId: Id<'usr'>; readonly isManaged: boolean };

/** Finds the account to which an external identity is linked. */
export async function findIdentity(
  db: Kysely<unknown>,
  { issuer, subject }: Upstream,
): Promise<Found | undefined> {
  const { rows } =
    await sql<Found>`select id, user_id as "userId", is_managed as "isManaged" from external_identity where issuer = ${issuer} and subject = ${subject}`.execute(
      db,
    );
  return rows[0];
}

/** Links an external identity; undefined when it is linked already. */
export async function insertIdentity(
  ctx: Ctx,
  upstream: Upstream,
  userId: string,
  flags: { isManaged: boolean; isUsed: boolean },
): Promise<Id<'ext'> | undefined> {
  const { rows } = await sql<{
    id: Id<'ext'>;
  }>`insert into external_identity (id, source, issuer, subject, user_id, email, is_managed, linked_at, last_used_at)
    values (${ctx.newId('ext')}, ${upstream.source}, ${upstream.issuer}, ${upstream.subject}, ${userId}, ${upstream.email}, ${flags.isManaged}, ${ctx.now}, ${flags.isUsed ? ctx.now : null})
    on conflict (issuer, subject) do nothing returning id`.execute(ctx.db);
  return rows[0]?.id;
}

/** Marks an identity as just used. */
export async function markUsed(ctx: Ctx, identityId: string): Promise<void> {
  await sql`update external_identity set last_used_at = ${ctx.now} where id = ${identityId}`.execute(ctx.db);
}

/** A user's linked identities, oldest first. */
export async function identitiesOf(db: Kysely<unknown>, userId: string): Promise<ExternalIdentity[]> {
  const { rows } =
    await sql<ExternalIdentity>`select id, source, issuer, email, linked_at as "linkedAt", last_used_at as "lastUsedAt" from external_identity where user_id = ${userId} order by id`.execute(
      db,
    );
  return rows;
}

/** Removes one of a user's identities; false when the user has no such identity. */
export async function deleteIdentity(ctx: Ctx, userId: string, identityId: string): Promise<boolean> {
  const { rows } =
    await sql`delete from external_identity where id = ${identityId} and user_id = ${userId} returning id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Uses up an ID token: false when it was used before. Also deletes used tokens that have expired. */
export async function claimToken(ctx: Ctx, hash: Buffer, expiresAt: Date): Promise<boolean> {
  await sql`delete from used_id_token where expires_at < ${ctx.now}`.execute(ctx.db);
  const { rows } =
    await sql`insert into used_id_token (hash, expires_at) values (${hash}, ${expiresAt}) on conflict (hash) do nothing returning hash`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Stores a link to be confirmed, replacing an earlier one of the same identity. */
export async function insertLinkRequest(
  ctx: Ctx,
  hash: Buffer,
  upstream: Upstream,
  userId: string,
  expiresAt: Date,
): Promise<void> {
  await sql`delete from link_request where expires_at < ${ctx.now} or (issuer = ${upstream.issuer} and subject = ${upstream.subject})`.execute(
    ctx.db,
  );
  await sql`insert into link_request (hash, source, issuer, subject, email, user_id, expires_at)
    values (${hash}, ${upstream.source}, ${upstream.issuer}, ${upstream.subject}, ${upstream.email}, ${userId}, ${expiresAt})`.execute(
    ctx.db,
  );
}

/** Counts an attempt to confirm a link and returns the link request; undefined when no attempts are left. */
export async function attemptLink(
  ctx: Ctx,
  hash: Buffer,
): Promise<(Upstream & { readonly userId: Id<'usr'> }) | undefined> {
  const { rows } = await sql<
    Upstream & { userId: Id<'usr'> }
  >`update link_request set attempts = attempts + 1 where hash = ${hash} and expires_at > ${ctx.now} and attempts < ${linkAttempts}
    returning source, issuer, subject, email, user_id as "userId"`.execute(ctx.db);
  return rows[0];
}

/** Uses up a link request: false when another request just did. */
export async function takeLinkRequest(ctx: Ctx, hash: Buffer): Promise<boolean> {
  const { rows } =
    await sql`delete from link_request where hash = ${hash} and expires_at > ${ctx.now} returning hash`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Whether a user's account was created by a sign-in through this issuer. */
export async function isMadeByIssuer(db: Kysely<unknown>, issuer: string, userId: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from external_identity where issuer = ${issuer} and user_id = ${userId} and is_managed`.execute(
      db,
    );
  return rows.length > 0;
}

/** Deletes the external identities of some users. */
export async function forgetIdentities(
  ctx: Ctx,
  { userIds }: { readonly userIds: readonly string[] },
): Promise<void> {
  await sql`delete from external_identity where user_id = any(${[...userIds]}::text[])`.execute(ctx.db);
}
