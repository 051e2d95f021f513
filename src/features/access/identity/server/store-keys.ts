// SQL of API keys. Only the digest of a secret is stored.
import { sql, type Kysely } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Permission } from '#kernel/permissions.ts';
import type { Page } from '#kernel/shape.ts';
import type { ActingKey, Actor, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { readPage, readTotal, rowItself, type List } from '#platform/server/database/paging.ts';
import type { ApiKey, KeyKind } from '../contract.ts';
import { requireAdminTwoFactor, timeZoneSetting } from './settings.ts';

/** An active key, and the digest by which it was found. */
export type FoundKey = {
  readonly digest: Buffer;
  readonly id: Id<'key'>;
  readonly name: string;
  readonly scope: KeyKind;
  readonly organizationId: Id<'org'> | null;
  readonly lastUsedAt: Date | null;
  /** When the key, or the overlap of its previous secret, ends; null when neither does. */
  readonly validUntil: Date | null;
};

/**
 * Returns the active keys whose current secret has one of these digests, or whose previous secret has one and
 * still overlaps.
 */
export async function keysInForce(
  db: Kysely<unknown>,
  digests: readonly Buffer[],
  now: Date,
): Promise<FoundKey[]> {
  const { rows } = await sql<FoundKey>`--hot key-actor
    select d.digest, k.id, k.name, k.scope, k.organization_id as "organizationId", k.last_used_at as "lastUsedAt", k.valid_until as "validUntil" from unnest(${[...digests]}::bytea[]) as d (digest) cross join lateral (
      select *, expires_at as valid_until from api_key where secret_hash = d.digest
      union all select *, least(expires_at, previous_until) as valid_until from api_key where previous_hash = d.digest and previous_until > ${now}
    ) as k where k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`.execute(db);
  return rows;
}

type FoundById = Omit<FoundKey, 'digest' | 'validUntil'>;

/** Returns an active key by its id, with what is needed to act for it; undefined when there is none. */
export async function keyInForceById(
  db: Kysely<unknown>,
  keyId: string,
  now: Date,
): Promise<FoundById | undefined> {
  const { rows } = await sql<FoundById>`
    select k.id, k.name, k.scope, k.organization_id as "organizationId", k.last_used_at as "lastUsedAt" from api_key k
    where k.id = ${keyId} and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`.execute(
    db,
  );
  return rows[0];
}

export type PersonByKey = Extract<Actor, { kind: 'user' }> & { readonly key: ActingKey };

/**
 * Returns the people for whom keys with permissions act, as they are now: only active ones, and only those
 * who still belong to the organization (or to none) to which they belonged when they created the key, so that
 * no key moves with a person to another tenant or becomes an Admin's.
 */
export async function peopleOfKeys(
  db: Kysely<unknown>,
  keyIds: readonly string[],
  now: Date,
): Promise<PersonByKey[]> {
  const { rows } = await sql<
    Omit<PersonByKey, 'kind' | 'key' | 'sessionId'> & Omit<ActingKey, 'name'> & { keyName: string }
  >`--hot people-of-keys
    select k.id as "keyId", k.name as "keyName", k.permissions, k.irreversible, k.addresses, u.id as "userId", u.role, (select json_build_object('id', r.id, 'permissions', r.permissions) from custom_role r where r.id = u.custom_role_id) as "customRole", u.organization_id as "organizationId", u.name, coalesce(k.rotated_at, k.created_at) as "provedAt",
      u.role = 'Admin' and not u.two_factor and exists (select 1 from setting where key = ${requireAdminTwoFactor.key} and value = 'true'::jsonb) as "mustEnrol"
    from api_key k join app_user u on u.id = k.created_by
    where k.id = any(${[...keyIds]}::text[]) and k.scope = 'permissions' and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})
      and u.status = 'active' and u.organization_id is not distinct from k.organization_id`.execute(db);
  return rows.map(({ keyId, keyName, permissions, irreversible, addresses, ...person }) => ({
    kind: 'user',
    ...person,
    sessionId: null,
    key: { keyId, name: keyName, permissions, irreversible, addresses },
  }));
}

/** The scope of a key that is not revoked; undefined when there is none. */
export async function scopeOfKey(db: Kysely<unknown>, keyId: string): Promise<KeyKind | undefined> {
  const { rows } = await sql<{
    scope: KeyKind;
  }>`select scope from api_key where id = ${keyId} and revoked_at is null`.execute(db);
  return rows[0]?.scope;
}

/** Marks keys as used now. */
export async function markKeysUsed(db: Kysely<unknown>, ids: readonly string[], now: Date): Promise<void> {
  await sql`update api_key set last_used_at = ${now} where id = any(${[...ids]}::text[])`.execute(db);
}

/** The keys in scope: those of one organization, or all. */
export type KeyOwner = Id<'org'> | 'anybody';

const ownedBy = (owner: KeyOwner) => (owner === 'anybody' ? sql`true` : sql`k.organization_id = ${owner}`);
const keyColumns = (
  now: Date,
) => sql<ApiKey>`k.id, k.name, k.scope, case when k.scope = 'permissions' then k.created_by end as "personId", case when k.scope = 'permissions' then (select u.name from app_user u where u.id = k.created_by) end as person, k.permissions, k.irreversible, k.addresses, k.organization_id as "organizationId", o.name as organization, k.hint, k.created_at as "createdAt", k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt",
  k.rotated_at as "rotatedAt", case when k.previous_until > ${now} then k.previous_until end as "previousUntil"`;

/** Keys that are not revoked, newest first. */
const keyList = (now: Date, owner: KeyOwner): List<ApiKey> => ({
  columns: keyColumns(now),
  from: sql`api_key k left join organization o on o.id = k.organization_id`,
  where: sql`k.revoked_at is null and ${ownedBy(owner)}`,
  order: { by: { id: { expression: sql`k.id`, cast: 'text' } }, usual: '-id', id: sql`k.id` },
});

/** Returns one page of the keys that are not revoked, newest first. */
export const pageOfApiKeys = (
  ctx: Ctx,
  owner: KeyOwner,
  page: { limit?: number | undefined; cursor?: string | undefined },
): Promise<Page<ApiKey>> => readPage(ctx.db, page, keyList(ctx.now, owner), rowItself);

/** Returns one active key with the digest of its secret; another owner's key is not found. */
export async function apiKeyOf(
  ctx: Ctx,
  owner: KeyOwner,
  keyId: string,
): Promise<{ key: ApiKey; secretHash: Buffer } | undefined> {
  const { rows } = await sql<
    ApiKey & { secret_hash: Buffer }
  >`select ${keyColumns(ctx.now)}, k.secret_hash from api_key k left join organization o on o.id = k.organization_id
    where k.id = ${keyId} and k.revoked_at is null and ${ownedBy(owner)}`.execute(ctx.db);
  if (!rows[0]) return undefined;
  const { secret_hash: secretHash, ...key } = rows[0];
  return { key, secretHash };
}

/** Counts the keys that are not revoked. */
export const countApiKeys = (ctx: Ctx, owner: KeyOwner): Promise<number> =>
  readTotal(ctx.db, keyList(ctx.now, owner));

/** Adds a key. Only the digest of its secret is stored, and a hint by which its owner recognizes it. */
export async function insertApiKey(
  ctx: Ctx,
  key: {
    name: string;
    scope: KeyKind;
    permissions: readonly Permission[];
    irreversible: boolean;
    addresses: readonly string[];
    organizationId: string | null;
    secretHash: Buffer;
    hint: string;
    createdBy: string;
    expiresAt: Date | null;
  },
): Promise<Id<'key'>> {
  const keyId = ctx.newId('key');
  await sql`insert into api_key (id, name, scope, organization_id, secret_hash, hint, created_by, created_at, expires_at, permissions, irreversible, addresses)
    values (${keyId}, ${key.name}, ${key.scope}, ${key.organizationId}, ${key.secretHash}, ${key.hint}, ${key.createdBy}, ${ctx.now}, ${key.expiresAt}, ${[...key.permissions]}::text[], ${key.irreversible}, ${[...key.addresses]}::text[])`.execute(
    ctx.db,
  );
  return keyId;
}

/**
 * Replaces the secret `from`, which keeps working until `previousUntil` (null: it ends at once). False when
 * the key's secret is no longer `from`: of two concurrent rotations only one succeeds.
 */
export async function replaceSecret(
  ctx: Ctx,
  keyId: string,
  secret: { from: Buffer; to: Buffer; hint: string; previousUntil: Date | null },
): Promise<boolean> {
  const { rows } =
    await sql`update api_key set secret_hash = ${secret.to}, hint = ${secret.hint}, rotated_at = ${ctx.now},
      previous_hash = ${secret.previousUntil && secret.from}, previous_until = ${secret.previousUntil}
    where id = ${keyId} and secret_hash = ${secret.from} and revoked_at is null returning id`.execute(ctx.db);
  return rows.length > 0;
}

/** Sets a key's secret; false when the key is revoked or does not exist. */
export async function setSecret(
  ctx: Ctx,
  keyId: string,
  { hash, hint }: { readonly hash: Buffer; readonly hint: string },
): Promise<boolean> {
  const { rows } =
    await sql`update api_key set secret_hash = ${hash}, hint = ${hint} where id = ${keyId} and revoked_at is null returning id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Revokes a key with all its secrets; undefined when this owner has no such key. */
export async function revokeKey(
  ctx: Ctx,
  owner: KeyOwner,
  keyId: string,
): Promise<{ name: string; organizationId: Id<'org'> | null } | undefined> {
  const { rows } = await sql<{
    name: string;
    organizationId: Id<'org'> | null;
  }>`update api_key k set revoked_at = ${ctx.now} where k.id = ${keyId} and k.revoked_at is null and ${ownedBy(owner)} returning k.name, k.organization_id as "organizationId"`.execute(
    ctx.db,
  );
  return rows[0];
}

export type ExpiringKey = {
  readonly id: Id<'key'>;
  readonly name: string;
  readonly organizationId: Id<'org'> | null;
  readonly expiresAt: Date;
  readonly timeZone: string;
};

/**
 * Returns active keys that expire before a moment, after the key `after`, ordered by id; with the time zone
 * of their organization, or else the platform's.
 */
export async function keysExpiring(
  ctx: Ctx,
  before: Date,
  after: string,
  limit: number,
): Promise<ExpiringKey[]> {
  const { rows } =
    await sql<ExpiringKey>`select k.id, k.name, k.organization_id as "organizationId", k.expires_at as "expiresAt", coalesce(o.time_zone, ${await ctx.setting(timeZoneSetting)}) as "timeZone"
    from api_key k left join organization o on o.id = k.organization_id where k.revoked_at is null and k.expires_at > ${ctx.now} and k.expires_at <= ${before} and k.id > ${after} order by k.id limit ${limit}`.execute(
      ctx.db,
    );
  return rows;
}
