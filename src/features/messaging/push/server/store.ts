// SQL of push: browsers, and the result of the last message to each.
import { sql, type Kysely } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { PushDevice } from '../contract.ts';

const deviceColumns = sql`id, endpoint, device, created_at as "createdAt", last_tried_at as "lastTriedAt", last_error as "lastError"`;

/** A user's browsers, newest first. */
export async function devicesOf(ctx: Ctx, userId: string): Promise<PushDevice[]> {
  const { rows } =
    await sql<PushDevice>`select ${deviceColumns} from push_subscription where user_id = ${userId} order by id desc`.execute(
      ctx.db,
    );
  return rows;
}

/** Registers a browser with its current keys; one that another user had registered moves to this user. */
export async function upsertDevice(
  ctx: Ctx,
  userId: string,
  given: { endpoint: string; p256dh: string; auth: string; device: string },
): Promise<PushDevice | undefined> {
  const { rows } =
    await sql<PushDevice>`insert into push_subscription (id, user_id, endpoint, p256dh, auth, device, created_at)
    values (${ctx.newId('psu')}, ${userId}, ${given.endpoint}, ${given.p256dh}, ${given.auth}, ${given.device}, ${ctx.now})
    on conflict (endpoint) do update set id = excluded.id, user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth, device = excluded.device, created_at = excluded.created_at, last_tried_at = null, last_error = ''
    returning ${deviceColumns}`.execute(ctx.db);
  return rows[0];
}

/** Counts a user's browsers other than this one. */
export async function countOtherDevices(ctx: Ctx, userId: string, endpoint: string): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from push_subscription where user_id = ${userId} and endpoint <> ${endpoint}`.execute(
    ctx.db,
  );
  return rows[0]?.count ?? 0;
}

/** Removes a user's browser; false when the user has no such browser. */
export async function deleteDevice(ctx: Ctx, userId: string, endpoint: string): Promise<boolean> {
  const { rows } =
    await sql`delete from push_subscription where user_id = ${userId} and endpoint = ${endpoint} returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Returns the browsers of users who may still sign in. */
export async function devicesOfMany(
  ctx: Ctx,
  userIds: readonly string[],
): Promise<{ id: string; userId: string }[]> {
  const { rows } = await sql<{
    id: string;
    userId: string;
  }>`select p.id, p.user_id as "userId" from push_subscription p join app_user u on u.id = p.user_id
    where p.user_id = any(${[...userIds]}::text[]) and u.status = 'active' order by p.id`.execute(ctx.db);
  return rows;
}

export type Address = {
  readonly userId: string;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
};

/** Returns a browser's endpoint; undefined when it is no longer registered. */
export async function addressOf(db: Kysely<unknown>, id: string): Promise<Address | undefined> {
  const { rows } =
    await sql<Address>`select user_id as "userId", endpoint, p256dh, auth from push_subscription where id = ${id}`.execute(
      db,
    );
  return rows[0];
}

/** Stores the result of a message to a browser; without a reason it was accepted. */
export async function storeResult(db: Kysely<unknown>, id: string, now: Date, reason: string): Promise<void> {
  await sql`update push_subscription set last_tried_at = ${now}, last_error = ${reason} where id = ${id}`.execute(
    db,
  );
}

/** Deletes a browser whose subscription has ended. */
export async function forgetDevice(db: Kysely<unknown>, id: string): Promise<void> {
  await sql`delete from push_subscription where id = ${id}`.execute(db);
}

/** Removes every browser of some users. */
export async function forgetDevicesOf(
  ctx: Ctx,
  { userIds }: { readonly userIds: readonly string[] },
): Promise<void> {
  await sql`delete from push_subscription where user_id = any(${[...userIds]}::text[])`.execute(ctx.db);
}
