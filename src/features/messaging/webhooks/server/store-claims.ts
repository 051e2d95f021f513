// SQL of the webhook sender: claiming endpoints, due deliveries, and results.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { AttemptFailure, DeliveryState } from '../contract.ts';

/** An endpoint that only this console process sends to, until its claim expires. */
export type ClaimedEndpoint = {
  readonly id: Id<'whe'>;
  readonly organizationId: Id<'org'>;
  readonly url: string;
  readonly secret: Buffer;
  readonly previousSecret: Buffer | null;
  readonly failedTurns: number;
};

/** Claims an endpoint until `until`; undefined when it is off, paused, or claimed by another process. */
export async function claimEndpoint(
  ctx: Ctx,
  endpointId: string,
  until: Date,
): Promise<ClaimedEndpoint | undefined> {
  const { rows } =
    await sql<ClaimedEndpoint>`update webhook_endpoint set busy_until = ${until} where id = ${endpointId} and is_on and coalesce(busy_until, '-infinity') <= ${ctx.now} and coalesce(rests_until, '-infinity') <= ${ctx.now}
    returning id, organization_id as "organizationId", url, secret, case when previous_until > ${ctx.now} then previous_secret end as "previousSecret", failed_turns as "failedTurns"`.execute(
      ctx.db,
    );
  return rows[0];
}

/** Until when an active endpoint pauses without a queued wake-up; undefined when nothing waits. */
export async function restsUntil(ctx: Ctx, endpointId: string): Promise<Date | undefined> {
  const { rows } = await sql<{
    until: Date;
  }>`select rests_until as until from webhook_endpoint where id = ${endpointId} and is_on and rests_until > ${ctx.now} and coalesce(busy_until, '-infinity') <= ${ctx.now} and coalesce(wakes_at, '-infinity') <= ${ctx.now}`.execute(
    ctx.db,
  );
  return rows[0]?.until;
}

export type DueDelivery = {
  readonly id: Id<'whd'>;
  readonly body: string;
  readonly tries: number;
  readonly beganAt: Date;
};

/** Returns the due deliveries of an endpoint, longest due first. */
export async function dueDeliveries(ctx: Ctx, endpointId: string, most: number): Promise<DueDelivery[]> {
  const { rows } =
    await sql<DueDelivery>`select id, body, tries, began_at as "beganAt" from webhook_delivery where endpoint_id = ${endpointId} and state = 'waiting' and next_attempt_at <= ${ctx.now} order by next_attempt_at, id limit ${most}`.execute(
      ctx.db,
    );
  return rows;
}

/** An attempt and its consequences. */
export type AttemptResult = {
  readonly id: Id<'whd'>;
  readonly at: Date;
  readonly status: number | null;
  readonly failure: AttemptFailure | null;
  readonly detail: string;
  readonly ms: number;
  readonly answer: string;
  readonly state: DeliveryState;
  readonly next: Date | null;
};

/** Stores attempts; those of deliveries that have been deleted meanwhile are dropped. */
export async function storeAttempts(ctx: Ctx, results: readonly AttemptResult[]): Promise<void> {
  const of = <T>(pick: (each: AttemptResult) => T): T[] => results.map(pick);
  await sql`with n as (select * from unnest(${of((each) => each.id)}::text[], ${of((each) => each.at)}::timestamptz[], ${of((each) => each.status)}::int[], ${of((each) => each.failure)}::text[], ${of((each) => each.detail)}::text[], ${of((each) => each.ms)}::int[], ${of((each) => each.answer)}::text[],
        ${of((each) => each.state)}::text[], ${of((each) => each.next)}::timestamptz[]) as n (id, at, status, failure, detail, ms, answer, state, next)),
      changed as (update webhook_delivery d set attempts = d.attempts + 1, tries = d.tries + 1, state = n.state, next_attempt_at = n.next, last_status = n.status, last_failure = n.failure, last_attempt_at = n.at from n where d.id = n.id returning d.id, d.attempts)
    insert into webhook_attempt (delivery_id, number, at, status, failure, detail, ms, answer) select n.id, changed.attempts, n.at, n.status, n.failure, n.detail, n.ms, n.answer from n join changed using (id)`.execute(
    ctx.db,
  );
}

/** Stores that a delivery succeeded. */
export async function recordSuccess(ctx: Ctx, endpointId: string): Promise<void> {
  await sql`update webhook_endpoint set last_delivered_at = ${ctx.now}, failing_since = null, failed_turns = 0, rests_until = null where id = ${endpointId}`.execute(
    ctx.db,
  );
}

/**
 * Stores that a run delivered nothing, and pauses the endpoint; returns since when nothing has been
 * delivered.
 */
export async function recordFailure(ctx: Ctx, endpointId: string, restSeconds: number): Promise<Date> {
  const { rows } = await sql<{
    since: Date;
  }>`update webhook_endpoint set failing_since = coalesce(failing_since, ${ctx.now}), failed_turns = failed_turns + 1, rests_until = ${new Date(ctx.now.getTime() + restSeconds * 1000)} where id = ${endpointId} returning failing_since as since`.execute(
    ctx.db,
  );
  return rows[0]?.since ?? ctx.now;
}

/** Ends an endpoint's pause because a user requested a delivery now. */
export async function endRest(ctx: Ctx, endpointId: string): Promise<void> {
  await sql`update webhook_endpoint set rests_until = null, wakes_at = null where id = ${endpointId}`.execute(
    ctx.db,
  );
}

/** Disables an endpoint with a reason; false when it was disabled already. */
export async function switchOff(ctx: Ctx, endpointId: string, reason: 'failing' | 'gone'): Promise<boolean> {
  const { rows } =
    await sql`update webhook_endpoint set is_on = false, off_reason = ${reason} where id = ${endpointId} and is_on returning id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/**
 * Releases an endpoint and returns when it must be woken; undefined when nothing waits or a wake-up is queued
 * in time. It is released before the check, so that a delivery queued meanwhile is either seen by the check
 * or its own transaction claims the endpoint.
 */
export async function releaseEndpoint(ctx: Ctx, endpointId: string): Promise<Date | undefined> {
  const {
    rows: [standing],
  } = await sql<{
    isOn: boolean;
    rests: Date | null;
    wakes: Date | null;
  }>`update webhook_endpoint set busy_until = null where id = ${endpointId} returning is_on as "isOn", rests_until as rests, wakes_at as wakes`.execute(
    ctx.db,
  );
  if (!standing?.isOn) return undefined;
  const { rows } = await sql<{
    next: Date | null;
  }>`select min(next_attempt_at) as next from webhook_delivery where endpoint_id = ${endpointId} and state = 'waiting'`.execute(
    ctx.db,
  );
  const first = rows[0]?.next;
  if (!first) return undefined;
  const next = standing.rests && standing.rests > first ? standing.rests : first;
  if (standing.wakes && standing.wakes > ctx.now && standing.wakes <= next) return undefined;
  await sql`update webhook_endpoint set wakes_at = ${next} where id = ${endpointId}`.execute(ctx.db);
  return next;
}
