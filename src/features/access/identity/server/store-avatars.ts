// SQL of users' pictures.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/** Stores a user's picture under a new id, so that caches never show the previous one, which is deleted. */
export async function putAvatar(ctx: Ctx, userId: string, picture: Buffer): Promise<void> {
  await sql`insert into avatar (user_id, id, picture, created_at) values (${userId}, ${ctx.newId('avt')}, ${picture}, ${ctx.now})
    on conflict (user_id) do update set id = excluded.id, picture = excluded.picture, created_at = excluded.created_at`.execute(
    ctx.db,
  );
}

/** Deletes a user's picture; false when there is none. */
export async function deleteAvatar(ctx: Ctx, userId: string): Promise<boolean> {
  const { rows } = await sql`delete from avatar where user_id = ${userId} returning id`.execute(ctx.db);
  return rows.length > 0;
}

/**
 * Returns a picture if the caller can see it: as its owner, as a user of the same organization, or as an
 * Admin.
 */
export async function avatarSeenBy(
  ctx: Ctx,
  avatarId: string,
  reader: {
    readonly userId: Id<'usr'>;
    readonly organizationId: Id<'org'> | null;
    readonly seesAll: boolean;
  },
): Promise<Buffer | undefined> {
  const { rows } = await sql<{
    picture: Buffer;
  }>`select a.picture from avatar a join app_user u on u.id = a.user_id
    where a.id = ${avatarId} and (${reader.seesAll}::boolean or u.id = ${reader.userId} or (u.organization_id = ${reader.organizationId} and u.status <> 'deleted'))`.execute(
    ctx.db,
  );
  return rows[0]?.picture;
}
