// SQL of machines that request a key.
import { sql, type Kysely } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Permission } from '#kernel/permissions.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { DeviceState, Polled } from '../rules.ts';

export type NewDevice = {
  readonly deviceHash: Buffer;
  readonly userHash: Buffer;
  readonly name: string;
  readonly address: string;
  readonly permissions: readonly Permission[];
  readonly irreversible: boolean;
  readonly expiresAt: Date;
  readonly intervalSeconds: number;
};

/**
 * Adds a waiting machine; 'taken' when another one has its user code, 'full' when `most` machines are waiting
 * already.
 */
export async function insertDevice(
  ctx: Ctx,
  device: NewDevice,
  most: number,
): Promise<'added' | 'taken' | 'full'> {
  const { rows } = await sql<{ isFull: boolean; isAdded: boolean }>`with waiting as (
      select count(*) >= ${most} as is_full from device_login where expires_at > ${ctx.now} and state = 'waiting'
    ), added as (
      insert into device_login (device_hash, user_hash, name, address, permissions, irreversible, asked_at, expires_at, interval_seconds)
      select ${device.deviceHash}::bytea, ${device.userHash}::bytea, ${device.name}::text, ${device.address}::text, ${[...device.permissions]}::text[], ${device.irreversible}::boolean, ${ctx.now}::timestamptz, ${device.expiresAt}::timestamptz, ${device.intervalSeconds}::integer
      from waiting where not is_full on conflict do nothing returning 1
    ) select is_full as "isFull", exists (select 1 from added) as "isAdded" from waiting`.execute(ctx.db);
  return rows[0]?.isFull ? 'full' : rows[0]?.isAdded ? 'added' : 'taken';
}

export type WaitingDevice = {
  readonly name: string;
  readonly address: string;
  readonly permissions: Permission[];
  readonly irreversible: boolean;
  readonly askedAt: Date;
  readonly expiresAt: Date;
};

/** Returns the machine that waits with this code; undefined when there is none, or it has expired. */
export async function waitingDevice(
  db: Kysely<unknown>,
  userHash: Buffer,
  now: Date,
): Promise<WaitingDevice | undefined> {
  const { rows } = await sql<WaitingDevice>`
    select name, address, permissions, irreversible, asked_at as "askedAt", expires_at as "expiresAt" from device_login
    where user_hash = ${userHash} and state = 'waiting' and expires_at > ${now}`.execute(db);
  return rows[0];
}

/** Decides on a waiting machine; false when it has been decided already or has expired. */
export async function decideDevice(
  ctx: Ctx,
  userHash: Buffer,
  decision: { readonly state: 'confirmed'; readonly keyId: Id<'key'> } | { readonly state: 'refused' },
): Promise<boolean> {
  const keyId = decision.state === 'confirmed' ? decision.keyId : null;
  const { rows } =
    await sql`update device_login set state = ${decision.state}, key_id = ${keyId} where user_hash = ${userHash} and state = 'waiting' and expires_at > ${ctx.now} returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

export type AskingDevice = Polled & { readonly keyId: Id<'key'> | null };

/** Returns the state of a machine that polls. */
export async function askingDevice(
  db: Kysely<unknown>,
  deviceHash: Buffer,
): Promise<AskingDevice | undefined> {
  const { rows } = await sql<AskingDevice & { state: DeviceState }>`
    select state, key_id as "keyId", expires_at as "expiresAt", interval_seconds as "intervalSeconds", polled_at as "polledAt" from device_login
    where device_hash = ${deviceHash}`.execute(db);
  return rows[0];
}

/** Records a poll, and adds `slowerBy` seconds to the polling interval. */
export async function markAsked(
  db: Kysely<unknown>,
  deviceHash: Buffer,
  now: Date,
  slowerBy: number,
): Promise<void> {
  await sql`update device_login set polled_at = ${now}, interval_seconds = interval_seconds + ${slowerBy} where device_hash = ${deviceHash}`.execute(
    db,
  );
}

/**
 * Uses up a confirmed machine's code and returns its key; undefined when another poll has used it or it has
 * expired.
 */
export async function takeKey(ctx: Ctx, deviceHash: Buffer): Promise<Id<'key'> | undefined> {
  const { rows } = await sql<{
    keyId: Id<'key'>;
  }>`update device_login set state = 'taken' where device_hash = ${deviceHash} and state = 'confirmed' and expires_at > ${ctx.now} returning key_id as "keyId"`.execute(
    ctx.db,
  );
  return rows[0]?.keyId;
}

/** Deletes expired machines, and returns the keys that were confirmed but never fetched. */
export async function forgetOldDevices(ctx: Ctx): Promise<Id<'key'>[]> {
  const { rows } = await sql<{
    keyId: Id<'key'> | null;
    state: DeviceState;
  }>`delete from device_login where expires_at < ${ctx.now} returning key_id as "keyId", state`.execute(
    ctx.db,
  );
  return rows.flatMap(({ keyId, state }) => (keyId !== null && state === 'confirmed' ? [keyId] : []));
}
