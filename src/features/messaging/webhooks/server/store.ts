// SQL of webhook endpoints.
import { sql, type RawBuilder } from 'kysely';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { Language } from '#kernel/language.ts';
import type { Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowItself,
  type ListOrder,
  readTotal,
} from '#platform/server/database/paging.ts';
import type { Endpoint, EventType, webhooks } from '../contract.ts';

const counted = (state: string): RawBuilder<unknown> =>
  sql`rows_counted('webhook_delivery', e.id, ${state})::int`;
const columns = (
  now: Date,
) => sql<Endpoint>`e.id, e.url, e.description, e.event_types as "eventTypes", e.is_on as "isOn", e.off_reason as "offReason", e.secret_hint as "secretHint",
  case when e.previous_until > ${now} then e.previous_until end as "previousUntil", e.failing_since as "failingSince", e.last_delivered_at as "lastDeliveredAt", ${counted('waiting')} as waiting, ${counted('parked')} as parked, e.created_at as "createdAt"`;

const endpointOrder: ListOrder = {
  by: {
    createdAt: { expression: sql`e.created_at`, cast: 'timestamptz' },
    url: { expression: sql`e.url`, cast: 'text' },
  },
  usual: '-createdAt',
  id: sql`e.id`,
};

/** One page of an organization's endpoints. */
export function pageOfEndpoints(
  ctx: Ctx,
  organizationId: string,
  input: In<typeof webhooks.listEndpoints>,
): Promise<Page<Endpoint>> {
  const pattern = input.q ? containsPattern(input.q) : undefined;
  const list = {
    columns: columns(ctx.now),
    from: sql`webhook_endpoint e`,
    where: allOf(
      sql`e.organization_id = ${organizationId}`,
      pattern && sql`(e.url ilike ${pattern} or e.description ilike ${pattern})`,
    ),
    order: endpointOrder,
  };
  return readPage(ctx.db, input, list, rowItself);
}

/**
 * Returns one endpoint of an organization; another organization's is not found. With `isLocked`, no other
 * transaction can change it until this one ends.
 */
export async function endpointOf(
  ctx: Ctx,
  organizationId: string,
  endpointId: string,
  isLocked = false,
): Promise<Endpoint | undefined> {
  const { rows } =
    await sql<Endpoint>`select ${columns(ctx.now)} from webhook_endpoint e where e.id = ${endpointId} and e.organization_id = ${organizationId} ${isLocked ? sql`for update` : sql``}`.execute(
      ctx.db,
    );
  return rows[0];
}

/**
 * Counts an organization's endpoints. Locks the organization's row, so that concurrent additions cannot
 * exceed the limit.
 */
export async function countEndpoints(ctx: Ctx, organizationId: string): Promise<number> {
  await sql`select 1 from organization where id = ${organizationId} for no key update`.execute(ctx.db);
  return readTotal(ctx.db, {
    from: sql`webhook_endpoint`,
    where: sql`organization_id = ${organizationId}`,
  });
}

export type NewEndpoint = {
  readonly id: Id<'whe'>;
  readonly organizationId: Id<'org'>;
  readonly url: string;
  readonly description: string;
  readonly eventTypes: readonly EventType[] | null;
  readonly secret: Buffer;
  readonly hint: string;
  readonly createdBy: string;
};

/** Adds an endpoint. */
export async function insertEndpoint(ctx: Ctx, made: NewEndpoint): Promise<void> {
  await sql`insert into webhook_endpoint (id, organization_id, url, description, event_types, secret, secret_hint, created_at, created_by)
    values (${made.id}, ${made.organizationId}, ${made.url}, ${made.description}, ${made.eventTypes && [...made.eventTypes]}::text[], ${made.secret}, ${made.hint}, ${ctx.now}, ${made.createdBy})`.execute(
    ctx.db,
  );
}

/** Changes an endpoint. A new address, or enabling it, clears its failures and its pause. */
export async function changeEndpoint(
  ctx: Ctx,
  endpointId: string,
  change: {
    url: string;
    description: string;
    eventTypes: readonly EventType[] | null;
    offReason: Endpoint['offReason'];
    isFresh: boolean;
  },
): Promise<void> {
  await sql`update webhook_endpoint set url = ${change.url}, description = ${change.description}, event_types = ${change.eventTypes && [...change.eventTypes]}::text[], is_on = ${change.offReason === null}, off_reason = ${change.offReason}
    ${change.isFresh ? sql`, failing_since = null, failed_turns = 0, rests_until = null, wakes_at = null` : sql``} where id = ${endpointId}`.execute(
    ctx.db,
  );
}

/** Deletes an endpoint with its deliveries; false when the organization has no such endpoint. */
export async function deleteEndpointRow(
  ctx: Ctx,
  organizationId: string,
  endpointId: string,
): Promise<boolean> {
  const { rows } =
    await sql`delete from webhook_endpoint where id = ${endpointId} and organization_id = ${organizationId} returning id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Replaces the secret, which also signs until `previousUntil` (null: it ends at once). */
export async function replaceEndpointSecret(
  ctx: Ctx,
  endpointId: string,
  secret: { sealed: Buffer; hint: string; previousUntil: Date | null },
): Promise<void> {
  await sql`update webhook_endpoint set previous_secret = ${secret.previousUntil === null ? null : sql`secret`}, previous_until = ${secret.previousUntil}, secret = ${secret.sealed}, secret_hint = ${secret.hint} where id = ${endpointId}`.execute(
    ctx.db,
  );
}

/** Ends the previous secret. */
export async function dropPreviousSecret(ctx: Ctx, endpointId: string): Promise<void> {
  await sql`update webhook_endpoint set previous_secret = null, previous_until = null where id = ${endpointId}`.execute(
    ctx.db,
  );
}

/** An endpoint that receives events, with its organization's language. */
export type Listener = {
  readonly id: Id<'whe'>;
  readonly organizationId: Id<'org'>;
  readonly eventTypes: readonly EventType[] | null;
  readonly language: Language;
};

/** Returns the enabled endpoints of some organizations. */
export async function listenersOf(ctx: Ctx, organizationIds: readonly string[]): Promise<Listener[]> {
  const { rows } =
    await sql<Listener>`select e.id, e.organization_id as "organizationId", e.event_types as "eventTypes", o.language from webhook_endpoint e join organization o on o.id = e.organization_id
    where e.organization_id = any(${[...organizationIds]}::text[]) and e.is_on order by e.id`.execute(ctx.db);
  return rows;
}
