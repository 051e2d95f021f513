// SQL of sign-in's accounts: whose e-mail is confirmed, and links that were issued.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  readSignIn,
  signInQuery,
  type SignInRow,
  type SignInUser,
} from '#features/access/identity/server/index.ts';

export type LinkPurpose = 'verify' | 'reset' | 'handover';
export type SignInRequirements = {
  readonly mustVerify: boolean;
  readonly authenticator: boolean;
  readonly passkeys: number;
};

const noRequirements: SignInRequirements = { mustVerify: false, authenticator: false, passkeys: 0 };
const gateColumns = (
  userId: RawBuilder<unknown>,
) => sql`exists (select 1 from account_email where user_id = ${userId} and must_verify and verified_at is null) as "mustVerify",
  exists (select 1 from authenticator where user_id = ${userId} and confirmed_at is not null) as authenticator,
  (select count(*)::int from passkey where user_id = ${userId}) as passkeys`;

/** What else is required for a session besides the right password. */
export async function gateOf(db: Kysely<unknown>, userId: string): Promise<SignInRequirements> {
  const { rows } =
    await sql<SignInRequirements>`--hot sign-in-gate\n select ${gateColumns(sql`${userId}`)}`.execute(db);
  return rows[0] ?? noRequirements;
}

export type Account = SignInRow & SignInRequirements;

/** The query for an account and its sign-in requirements, run together with counting the attempt. */
export function accountQuery(account: string): RawBuilder<Account> {
  return sql<Account>`select u.*, ${gateColumns(sql`u.id`)} from (${signInQuery(account)}) u`;
}

/** Reads a row of {@link accountQuery}; an unknown account has no further requirements. */
export function readAccount(row: Account | undefined): {
  readonly found: SignInUser | undefined;
  readonly gate: SignInRequirements;
} {
  return row ? { found: readSignIn(row), gate: row } : { found: undefined, gate: noRequirements };
}

/** Records that an account's e-mail is not confirmed yet. */
export async function insertUnverified(ctx: Ctx, userId: string, mustVerify: boolean): Promise<void> {
  await sql`insert into account_email (user_id, must_verify) values (${userId}, ${mustVerify})`.execute(
    ctx.db,
  );
}

/** Records that the owner of an account's mailbox has confirmed it. */
export async function markVerified(ctx: Ctx, userId: string): Promise<void> {
  await sql`update account_email set verified_at = ${ctx.now} where user_id = ${userId} and verified_at is null`.execute(
    ctx.db,
  );
}

/** Stores links by the digests of their secrets. */
export async function insertLinks(
  ctx: Ctx,
  links: readonly { hash: Buffer; userId: string }[],
  purpose: LinkPurpose,
  expiresAt: Date,
): Promise<void> {
  await sql`insert into account_link (hash, user_id, purpose, created_at, expires_at)
    select hash, user_id, ${purpose}, ${ctx.now}, ${expiresAt} from unnest(${links.map(({ hash }) => hash)}::bytea[], ${links.map(({ userId }) => userId)}::text[]) as l (hash, user_id)`.execute(
    ctx.db,
  );
}

/** Deletes the passwords and known browsers of several people. */
export async function forgetPasswords(ctx: Ctx, userIds: readonly string[]): Promise<void> {
  await sql`delete from known_device where user_id = any(${[...userIds]}::text[])`.execute(ctx.db);
  await sql`update app_user set password_hash = null where id = any(${[...userIds]}::text[])`.execute(ctx.db);
}

/** Counts a person's links of a purpose since a moment. */
export async function countLinks(
  ctx: Ctx,
  userId: string,
  purpose: LinkPurpose,
  since: Date,
): Promise<number> {
  const { rows } = await sql<{
    links: number;
  }>`select count(*)::int as links from account_link where user_id = ${userId} and purpose = ${purpose} and created_at > ${since}`.execute(
    ctx.db,
  );
  return rows[0]?.links ?? 0;
}

export type OpenLink = { readonly userId: Id<'usr'>; readonly purpose: LinkPurpose };

/** Returns the user of a link, as long as it can be used. */
export async function openLink(
  db: Kysely<unknown>,
  hash: Buffer,
  purposes: readonly LinkPurpose[],
  now: Date,
): Promise<OpenLink | undefined> {
  const { rows } =
    await sql<OpenLink>`select l.user_id as "userId", l.purpose from account_link l join app_user u on u.id = l.user_id
    where l.hash = ${hash} and l.purpose = any(${[...purposes]}::text[]) and l.used_at is null and l.expires_at > ${now} and u.status = 'active'`.execute(
      db,
    );
  return rows[0];
}

/** Uses up a link in one statement: of concurrent requests, exactly one succeeds. */
export async function takeLink(
  ctx: Ctx,
  hash: Buffer,
  purposes: readonly LinkPurpose[],
): Promise<OpenLink | undefined> {
  const { rows } =
    await sql<OpenLink>`update account_link set used_at = ${ctx.now} where hash = ${hash} and purpose = any(${[...purposes]}::text[]) and used_at is null and expires_at > ${ctx.now}
    returning user_id as "userId", purpose`.execute(ctx.db);
  return rows[0];
}

/** Invalidates every unused link of a person. */
export async function voidLinks(ctx: Ctx, userId: string): Promise<void> {
  await sql`update account_link set used_at = ${ctx.now} where user_id = ${userId} and used_at is null`.execute(
    ctx.db,
  );
}

/** Sets a savepoint within a transaction; one at a time. */
export async function beginTrial(ctx: Ctx): Promise<void> {
  await sql`savepoint trial`.execute(ctx.db);
}

/** Keeps what was done since {@link beginTrial}, or rolls it back. */
export async function endTrial(ctx: Ctx, keepsChanges: boolean): Promise<void> {
  await (keepsChanges ? sql`release savepoint trial` : sql`rollback to savepoint trial`).execute(ctx.db);
}
