// What SMS asks the database: people's numbers.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/** The phone numbers of people who may still sign in, as they wrote them. */
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
