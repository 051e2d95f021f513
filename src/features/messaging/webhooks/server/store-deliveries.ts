// SQL of webhook deliveries that members view and resend.
import { sql } from 'kysely';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  readPage,
  rowItself,
  rowsCounted,
  searchTotalCap,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import type { Attempt, Delivery, DeliveryDetail, SentType, webhooks } from '../contract.ts';

const columns = sql<Delivery>`d.id, d.event_type as type, d.state, d.created_at as "createdAt", d.attempts, d.last_status as "lastStatus", d.last_failure as "lastFailure", d.last_attempt_at as "lastAttemptAt", d.next_attempt_at as "nextAttemptAt"`;

export type NewDelivery = {
  readonly id: Id<'whd'>;
  readonly endpointId: Id<'whe'>;
  readonly eventKey: string;
  readonly type: SentType;
  readonly body: string;
};

/** Adds deliveries, each only once per endpoint; returns the endpoints with new ones. */
export async function insertDeliveries(ctx: Ctx, made: readonly NewDelivery[]): Promise<Set<Id<'whe'>>> {
  const of = (pick: (each: NewDelivery) => string): string[] => made.map(pick);
  const { rows } = await sql<{
    endpointId: Id<'whe'>;
  }>`insert into webhook_delivery (id, endpoint_id, event_key, event_type, body, state, created_at, began_at, next_attempt_at)
    select id, endpoint_id, event_key, event_type, body, 'waiting', ${ctx.now}, ${ctx.now}, ${ctx.now}
    from unnest(${of((each) => each.id)}::text[], ${of((each) => each.endpointId)}::text[], ${of((each) => each.eventKey)}::text[], ${of((each) => each.type)}::text[], ${of((each) => each.body)}::text[]) as n (id, endpoint_id, event_key, event_type, body)
    on conflict (endpoint_id, event_key) do nothing returning endpoint_id as "endpointId"`.execute(ctx.db);
  return new Set(rows.map((row) => row.endpointId));
}

const deliveryOrder: ListOrder = {
  by: { createdAt: { expression: sql`d.created_at`, cast: 'timestamptz' } },
  usual: '-createdAt',
  id: sql`d.id`,
};

/**
 * Returns one page of an endpoint's deliveries. Totals are exact, except with both filters at once, where
 * they are counted up to a limit.
 */
export function pageOfDeliveries(
  ctx: Ctx,
  input: In<typeof webhooks.listDeliveries>,
): Promise<Page<Delivery>> {
  const { endpointId, state, type, q } = input;
  const list = {
    columns,
    from: sql`webhook_delivery d`,
    where: allOf(
      sql`d.endpoint_id = ${endpointId}`,
      state && sql`d.state = ${state}`,
      type && sql`d.event_type = ${type}`,
      q && sql`d.id = ${q.trim()}`,
    ),
    order: deliveryOrder,
    counter: type || q ? undefined : rowsCounted('webhook_delivery', sql`${endpointId}`, state ?? ''),
    cap: searchTotalCap,
  };
  return readPage(ctx.db, input, list, rowItself);
}

/** One delivery of an endpoint. */
export async function deliveryOf(
  ctx: Ctx,
  endpointId: string,
  deliveryId: string,
): Promise<Delivery | undefined> {
  const { rows } =
    await sql<Delivery>`select ${columns} from webhook_delivery d where d.id = ${deliveryId} and d.endpoint_id = ${endpointId}`.execute(
      ctx.db,
    );
  return rows[0];
}

/** Returns one delivery of an endpoint with its body and all its attempts, newest first. */
export async function deliveryDetail(
  ctx: Ctx,
  endpointId: string,
  deliveryId: string,
): Promise<DeliveryDetail | undefined> {
  const { rows } = await sql<
    Delivery & { body: string }
  >`select ${columns}, d.body from webhook_delivery d where d.id = ${deliveryId} and d.endpoint_id = ${endpointId}`.execute(
    ctx.db,
  );
  const attempts =
    await sql<Attempt>`select a.number, a.at, a.status, a.failure, a.detail, a.ms, a.answer from webhook_attempt a where a.delivery_id = ${deliveryId} order by a.number desc limit 200`.execute(
      ctx.db,
    );
  return rows[0] && { ...rows[0], items: attempts.rows };
}

const anew = (ctx: Ctx) =>
  sql`state = 'waiting', tries = 0, began_at = ${ctx.now}, next_attempt_at = ${ctx.now}`;

/** Restarts a delivery's attempts, now. */
export async function repeatDelivery(ctx: Ctx, deliveryId: string): Promise<void> {
  await sql`update webhook_delivery set ${anew(ctx)} where id = ${deliveryId}`.execute(ctx.db);
}

/** Queues all failed deliveries since a moment again; returns how many. */
export async function repeatFailed(ctx: Ctx, endpointId: string, since: Date): Promise<number> {
  const { rows } = await sql<{
    count: bigint;
  }>`with again as (update webhook_delivery set ${anew(ctx)} where endpoint_id = ${endpointId} and state = 'parked' and created_at >= ${since} returning 1) select count(*) as count from again`.execute(
    ctx.db,
  );
  return Number(rows[0]?.count ?? 0n);
}

/** Fails the waiting deliveries of a disabled endpoint. */
export async function failWaiting(ctx: Ctx, endpointId: string): Promise<void> {
  await sql`update webhook_delivery set state = 'parked', next_attempt_at = null where endpoint_id = ${endpointId} and state = 'waiting'`.execute(
    ctx.db,
  );
}
