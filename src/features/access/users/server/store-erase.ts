// SQL of erasing users.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/**
 * Erases the next users that were deleted before a moment, and returns them. The account name becomes
 * available again: it is replaced by a text that cannot be an address.
 */
export async function eraseRows(ctx: Ctx, before: Date, size: number): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`update app_user set account = 'erased ' || id, phone = '', address = '', password_hash = null, two_factor = false, erased_at = ${ctx.now}
    where id in (select id from app_user where status = 'deleted' and erased_at is null and deleted_at < ${before} order by deleted_at limit ${size} for update skip locked) returning id`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

/**
 * Marks people as deleted and erases them, under new names. Of those that were erased before, only the names
 * change.
 */
export async function deleteAndErase(
  ctx: Ctx,
  userIds: readonly string[],
  names: readonly string[],
): Promise<void> {
  await sql`update app_user u set account = 'erased ' || u.id, name = n.name, phone = '', address = '', password_hash = null, two_factor = false, custom_role_id = null,
      status_before = coalesce(u.status_before, u.status), status = 'deleted', deleted_at = coalesce(u.deleted_at, ${ctx.now}), erased_at = coalesce(u.erased_at, ${ctx.now})
    from unnest(${[...userIds]}::text[], ${[...names]}::text[]) as n (id, name) where u.id = n.id`.execute(
    ctx.db,
  );
}

const tables = [
  'avatar',
  'session',
  'saved_view',
  'known_device',
  'account_email',
  'account_link',
  'authenticator',
  'recovery_code',
  'passkey',
] as const;

/** Deletes the personal data of users that identity and sign-in store. */
export async function forgetAllOf(ctx: Ctx, userIds: readonly string[]): Promise<void> {
  for (const table of tables)
    await sql`delete from ${sql.table(table)} where user_id = any(${[...userIds]}::text[])`.execute(ctx.db);
}
