// SQL of the people and groups that identity providers keep up to date.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/** Whether a provider made an account and keeps it up to date. */
export async function isProvisionedBy(ctx: Ctx, providerId: string, userId: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from scim_user where provider_id = ${providerId} and user_id = ${userId}`.execute(
      ctx.db,
    );
  return rows.length > 0;
}
