// SQL of users' phone numbers.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/** Returns the phone numbers of active users, as typed. */
export async function phonesOf(
  ctx: Ctx,
  userIds: readonly string[],
): Promise<{ userId: string; phone: string }[]> {
  const { rows } = await sql<{
    userId: string;
    phone: string;
  }>`select id as "userId", phone from app_user where id = any(${[...userIds]}::text[]) and status = 'active' and phone <> ''`.execute(
    ctx.db,
  );
  return rows;
}
