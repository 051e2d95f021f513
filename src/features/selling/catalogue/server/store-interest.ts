// SQL of users who want to be notified when a service becomes available.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/** Stores that a user waits for a service; a repeat has no effect. */
export async function insertInterest(ctx: Ctx, serviceId: string, userId: string): Promise<void> {
  await sql`insert into service_interest (service_id, user_id, created_at) values (${serviceId}, ${userId}, ${ctx.now}) on conflict do nothing`.execute(
    ctx.db,
  );
}

/** Deletes it. */
export async function deleteInterest(ctx: Ctx, serviceId: string, userId: string): Promise<void> {
  await sql`delete from service_interest where service_id = ${serviceId} and user_id = ${userId}`.execute(
    ctx.db,
  );
}

/** Removes all users waiting for a service and returns them, so that each is notified once. */
export async function takeInterested(ctx: Ctx, serviceId: string): Promise<Id<'usr'>[]> {
  const { rows } = await sql<{
    user_id: Id<'usr'>;
  }>`delete from service_interest where service_id = ${serviceId} returning user_id`.execute(ctx.db);
  return rows.map((row) => row.user_id);
}

/** The services that a user waits for. */
export async function interestsOf(ctx: Ctx, userId: string): Promise<Id<'svc'>[]> {
  const { rows } = await sql<{
    service_id: Id<'svc'>;
  }>`select service_id from service_interest where user_id = ${userId} order by service_id`.execute(ctx.db);
  return rows.map((row) => row.service_id);
}

/** Counts the users waiting for each of some services; services without any are left out. */
export async function interestCounts(
  ctx: Ctx,
  serviceIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{
    service_id: string;
    count: bigint;
  }>`select service_id, count(*) as count from service_interest where service_id = any(${[...serviceIds]}::text[]) group by 1`.execute(
    ctx.db,
  );
  return new Map(rows.map((row) => [row.service_id, Number(row.count)]));
}
