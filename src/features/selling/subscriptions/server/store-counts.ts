// SQL of the number of subscriptions per service, from counters: the cost does not grow with the number of
// subscriptions.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { subscriptionStates, type SubscriptionState } from '../contract.ts';

const ended: readonly SubscriptionState[] = ['canceled', 'expired'];

/**
 * Service id → the number of subscriptions that have not ended, and of all there ever were; a service without
 * any is left out.
 */
export async function subscriptionCounts(
  ctx: Ctx,
  serviceIds: readonly string[],
): Promise<ReadonlyMap<string, { open: number; ever: number }>> {
  const { rows } = await sql<{
    id: string;
    open: bigint;
    ever: bigint;
  }>`select key2 as id, coalesce(sum(count) filter (where key1 <> all(${[...ended]}::text[])), 0)::bigint as open, sum(count)::bigint as ever
    from row_count where relation = 'subscription' and key1 = any(${[...subscriptionStates]}::text[]) and key2 = any(${[...serviceIds]}::text[]) group by key2`.execute(
    ctx.db,
  );
  return new Map(rows.map((row) => [row.id, { open: Number(row.open), ever: Number(row.ever) }]));
}
