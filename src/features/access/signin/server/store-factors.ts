// SQL of second factors.
import { sql, type Kysely } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

export type Authenticator = { readonly seed: Buffer; readonly isConfirmed: boolean };

/** A person's authenticator, confirmed or not. */
export async function authenticatorOf(
  db: Kysely<unknown>,
  userId: string,
): Promise<Authenticator | undefined> {
  const { rows } =
    await sql<Authenticator>`select seed, confirmed_at is not null as "isConfirmed" from authenticator where user_id = ${userId}`.execute(
      db,
    );
  return rows[0];
}

/** Stores a new seed in place of an unconfirmed one; false when a confirmed one exists. */
export async function storeSeed(ctx: Ctx, userId: string, seed: Buffer): Promise<boolean> {
  const { rows } =
    await sql`insert into authenticator as a (user_id, seed, created_at) values (${userId}, ${seed}, ${ctx.now})
    on conflict (user_id) do update set seed = excluded.seed, created_at = excluded.created_at, last_step = 0 where a.confirmed_at is null returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/**
 * Uses up the code of a 30-second time step, in one statement; false when it or a later one was used.
 * `confirm`: it is the first code of the seed.
 */
export async function takeStep(ctx: Ctx, userId: string, step: number, confirm: boolean): Promise<boolean> {
  const { rows } =
    await sql`update authenticator set last_step = ${step}, confirmed_at = coalesce(confirmed_at, ${ctx.now})
    where user_id = ${userId} and last_step < ${step} and (confirmed_at is null) = ${confirm} returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Removes a person's authenticator. */
export async function deleteAuthenticator(ctx: Ctx, userId: string): Promise<void> {
  await sql`delete from authenticator where user_id = ${userId}`.execute(ctx.db);
}

/** Removes a person's authenticator and passkeys; returns how many there were. */
export async function deleteFactors(ctx: Ctx, userId: string): Promise<number> {
  const { rows } = await sql<{
    factors: number;
  }>`with a as (delete from authenticator where user_id = ${userId} returning 1), p as (delete from passkey where user_id = ${userId} returning 1)
    select ((select count(*) from a) + (select count(*) from p))::int as factors`.execute(ctx.db);
  return rows[0]?.factors ?? 0;
}

/** Replaces a person's recovery codes; only digests are stored. */
export async function storeRecoveryCodes(ctx: Ctx, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await sql`delete from recovery_code where user_id = ${userId}`.execute(ctx.db);
  for (const hash of hashes)
    await sql`insert into recovery_code (user_id, hash) values (${userId}, ${hash})`.execute(ctx.db);
}

/** Uses up a recovery code, in one statement. */
export async function takeRecoveryCode(ctx: Ctx, userId: string, hash: Buffer): Promise<boolean> {
  const { rows } =
    await sql`update recovery_code set used_at = ${ctx.now} where user_id = ${userId} and hash = ${hash} and used_at is null returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Counts a person's unused recovery codes. */
export async function countRecoveryCodes(db: Kysely<unknown>, userId: string): Promise<number> {
  const { rows } = await sql<{
    codes: number;
  }>`select count(*)::int as codes from recovery_code where user_id = ${userId} and used_at is null`.execute(
    db,
  );
  return rows[0]?.codes ?? 0;
}

type PasskeyRow = { id: Id<'psk'>; name: string; createdAt: Date; lastUsedAt: Date | null };
const passkeyColumns = sql`id, name, created_at as "createdAt", last_used_at as "lastUsedAt"`;

/** Returns a person's passkeys, oldest first. */
export async function passkeysOf(ctx: Ctx, userId: string): Promise<PasskeyRow[]> {
  const { rows } =
    await sql<PasskeyRow>`select ${passkeyColumns} from passkey where user_id = ${userId} order by id`.execute(
      ctx.db,
    );
  return rows;
}

/** Returns the credential ids of a person's passkeys, with which a browser avoids creating a second one. */
export async function credentialsOf(
  ctx: Ctx,
  userId: string,
): Promise<{ id: string; transports: string[] }[]> {
  const { rows } = await sql<{
    id: string;
    transports: string[];
  }>`select credential_id as id, transports from passkey where user_id = ${userId}`.execute(ctx.db);
  return rows;
}

export type NewPasskey = {
  userId: string;
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: readonly string[];
  name: string;
};

/** Adds a passkey; undefined when it is already registered. */
export async function insertPasskey(ctx: Ctx, passkey: NewPasskey): Promise<PasskeyRow | undefined> {
  const { rows } =
    await sql<PasskeyRow>`insert into passkey (id, user_id, credential_id, public_key, counter, transports, name, created_at)
    values (${ctx.newId('psk')}, ${passkey.userId}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter}, ${[...passkey.transports]}::text[], ${passkey.name}, ${ctx.now})
    on conflict (credential_id) do nothing returning ${passkeyColumns}`.execute(ctx.db);
  return rows[0];
}

/** Renames one of a person's passkeys. */
export async function renamePasskeyRow(
  ctx: Ctx,
  userId: string,
  passkeyId: string,
  name: string,
): Promise<PasskeyRow | undefined> {
  const { rows } =
    await sql<PasskeyRow>`update passkey set name = ${name} where id = ${passkeyId} and user_id = ${userId} returning ${passkeyColumns}`.execute(
      ctx.db,
    );
  return rows[0];
}

/** Removes one of a person's passkeys. */
export async function deletePasskey(ctx: Ctx, userId: string, passkeyId: string): Promise<boolean> {
  const { rows } =
    await sql`delete from passkey where id = ${passkeyId} and user_id = ${userId} returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

export type KnownPasskey = {
  readonly id: Id<'psk'>;
  readonly userId: Id<'usr'>;
  readonly publicKey: Buffer;
  readonly counter: bigint;
};

/** The passkey of a credential. */
export async function passkeyOf(
  db: Kysely<unknown>,
  credentialId: string,
): Promise<KnownPasskey | undefined> {
  const { rows } =
    await sql<KnownPasskey>`select id, user_id as "userId", public_key as "publicKey", counter from passkey where credential_id = ${credentialId}`.execute(
      db,
    );
  return rows[0];
}

/**
 * Records a use of a passkey; false when its counter did not increase, which indicates a copy. Many
 * authenticators always report 0.
 */
export async function countUse(ctx: Ctx, passkeyId: string, counter: number): Promise<boolean> {
  const { rows } =
    await sql`update passkey set counter = ${counter}, last_used_at = ${ctx.now} where id = ${passkeyId} and (counter < ${counter} or (counter = 0 and ${counter} = 0)) returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

export type Challenge = {
  readonly hash: Buffer;
  readonly browserHash: Buffer;
  readonly userId: string | null;
};

/** Stores a challenge. */
export async function insertChallenge(ctx: Ctx, challenge: Challenge, expiresAt: Date): Promise<void> {
  await sql`insert into passkey_challenge (hash, browser_hash, user_id, expires_at) values (${challenge.hash}, ${challenge.browserHash}, ${challenge.userId}, ${expiresAt})`.execute(
    ctx.db,
  );
}

/** Uses up a challenge in its own transaction: even a wrong answer uses it up. */
export async function takeChallenge(db: Kysely<unknown>, challenge: Challenge, now: Date): Promise<boolean> {
  const { rows } =
    await sql`delete from passkey_challenge where hash = ${challenge.hash} and browser_hash = ${challenge.browserHash} and user_id is not distinct from ${challenge.userId} and expires_at > ${now} returning 1`.execute(
      db,
    );
  return rows.length > 0;
}
