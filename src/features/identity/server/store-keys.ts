// What identity asks the database about API keys. A secret is known by its digest only.
import { sql, type Kysely } from 'kysely';
import type { KeyScope } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { Actor, Ctx } from '#platform/server/ctx.ts';
import type { Tables } from '#platform/server/tables.ts';
import type { ApiKey } from '../contract.ts';

const usedMarkEveryMs = 60_000;

/**
 * Who an API key stands for, by the digest of its secret, or of the one before while their overlap lasts.
 * Its last use is marked at most once a minute.
 */
export async function actorOfKey(db: Kysely<Tables>, secretHash: Buffer, now: Date): Promise<Actor | undefined> {
  const { rows } = await sql<{ id: Id<'key'>; name: string; scope: KeyScope; organization_id: Id<'org'> | null; last_used_at: Date | null }>`--hot key-actor
    select id, name, scope, organization_id, last_used_at from api_key
    where (secret_hash = ${secretHash} or (previous_hash = ${secretHash} and previous_until > ${now})) and revoked_at is null and (expires_at is null or expires_at > ${now})`.execute(db);
  const row = rows[0];
  if (!row) return undefined;
  if (!row.last_used_at || now.getTime() - row.last_used_at.getTime() > usedMarkEveryMs) await sql`update api_key set last_used_at = ${now} where id = ${row.id}`.execute(db);
  return { kind: 'apiKey', keyId: row.id, scope: row.scope, organizationId: row.organization_id, name: row.name };
}

/** Whose keys are meant: those of one organization, or all there are. */
export type KeyOwner = Id<'org'> | 'anybody';

const ownedBy = (owner: KeyOwner) => (owner === 'anybody' ? sql`true` : sql`k.organization_id = ${owner}`);
const keyColumns = (now: Date) => sql`k.id, k.name, k.scope, k.organization_id as "organizationId", o.name as organization, k.hint, k.created_at as "createdAt", k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt",
  k.rotated_at as "rotatedAt", case when k.previous_until > ${now} then k.previous_until end as "previousUntil"`;

/** Keys that are not revoked, the newest first. */
export async function apiKeys(ctx: Ctx, owner: KeyOwner, page: { limit: number; before: string | null }): Promise<ApiKey[]> {
  const { rows } = await sql<ApiKey>`select ${keyColumns(ctx.now)} from api_key k left join organization o on o.id = k.organization_id
    where k.revoked_at is null and ${ownedBy(owner)} and (${page.before}::text is null or k.id < ${page.before}) order by k.id desc limit ${page.limit}`.execute(ctx.db);
  return rows;
}

/** One key in force with the digest of its secret; somebody else's is as one that does not exist. */
export async function apiKeyOf(ctx: Ctx, owner: KeyOwner, keyId: string): Promise<{ key: ApiKey; secretHash: Buffer } | undefined> {
  const { rows } = await sql<ApiKey & { secret_hash: Buffer }>`select ${keyColumns(ctx.now)}, k.secret_hash from api_key k left join organization o on o.id = k.organization_id
    where k.id = ${keyId} and k.revoked_at is null and ${ownedBy(owner)}`.execute(ctx.db);
  if (!rows[0]) return undefined;
  const { secret_hash: secretHash, ...key } = rows[0];
  return { key, secretHash };
}

/** How many keys are in force. */
export async function countApiKeys(ctx: Ctx, owner: KeyOwner): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`select count(*) as total from api_key k where k.revoked_at is null and ${ownedBy(owner)}`.execute(ctx.db);
  return Number(rows[0]?.total ?? 0n);
}

/** Adds a key; only the digest of its secret is kept, and a hint by which its owner knows it again. */
export async function insertApiKey(ctx: Ctx, key: { name: string; scope: KeyScope; organizationId: string | null; secretHash: Buffer; hint: string; createdBy: string; expiresAt: Date | null }): Promise<Id<'key'>> {
  const keyId = ctx.newId('key');
  await sql`insert into api_key (id, name, scope, organization_id, secret_hash, hint, created_by, created_at, expires_at)
    values (${keyId}, ${key.name}, ${key.scope}, ${key.organizationId}, ${key.secretHash}, ${key.hint}, ${key.createdBy}, ${ctx.now}, ${key.expiresAt})`.execute(ctx.db);
  return keyId;
}

/**
 * Puts a new secret in place of `from`, which goes on working until `previousUntil` (null: ends at once).
 * False when the key's secret is not `from` any more: of two rotations at the same time one counts.
 */
export async function replaceSecret(ctx: Ctx, keyId: string, secret: { from: Buffer; to: Buffer; hint: string; previousUntil: Date | null }): Promise<boolean> {
  const { rows } = await sql`update api_key set secret_hash = ${secret.to}, hint = ${secret.hint}, rotated_at = ${ctx.now},
      previous_hash = ${secret.previousUntil && secret.from}, previous_until = ${secret.previousUntil}
    where id = ${keyId} and secret_hash = ${secret.from} and revoked_at is null returning id`.execute(ctx.db);
  return rows.length > 0;
}

/** Revokes a key with all its secrets; false when there is none of this owner. */
export async function revokeKey(ctx: Ctx, owner: KeyOwner, keyId: string): Promise<boolean> {
  const { rows } = await sql`update api_key k set revoked_at = ${ctx.now} where k.id = ${keyId} and k.revoked_at is null and ${ownedBy(owner)} returning k.id`.execute(ctx.db);
  return rows.length > 0;
}
