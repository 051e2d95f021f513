// SQL of subscriptions.
import { sql, type Kysely } from 'kysely';
import { trimDecimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import type { LocalDay, Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowsCounted,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import type { subscriptions, SubscriptionState } from '../contract.ts';
import type { Course } from '../rules-course.ts';
import type { In } from '#kernel/contract.ts';

/**
 * A stored subscription with all its phases and pauses and its organization's time zone. Service and state
 * are outdated until due changes are applied.
 */
export type SubscriptionRow = Course & {
  readonly heldState: SubscriptionState | null;
  readonly id: Id<'sub'>;
  readonly organizationId: Id<'org'>;
  readonly serviceId: Id<'svc'>;
  readonly quantity: string;
  readonly version: number;
  /** For an add-on, the subscription it was added to, and that one's service. */
  readonly parentId: Id<'sub'> | null;
  readonly parentServiceId: Id<'svc'> | null;
  /** An add-on's `endsAt` also depends on its subscription: it ends with that one at the latest. */
  readonly ownEndsAt: Date | null;
};

type StoredPhase = [
  position: number,
  from: number,
  serviceId: Id<'svc'> | null,
  quantity: string,
  yearAnchor: LocalDay | null,
  isApplied: boolean,
  chargeQuantities: Readonly<Record<string, string>> | null,
];
type StoredPause = [position: number, from: number, until: number | null, isBegun: boolean, isOver: boolean];
type Stored = Omit<SubscriptionRow, 'phases' | 'pauses' | 'suspensions'> & {
  phases: StoredPhase[];
  pauses: StoredPause[];
  suspensions: [from: number, until: number | null][];
};

const toRow = <T extends Stored>(
  stored: T,
): Omit<T, 'phases' | 'pauses' | 'suspensions'> & SubscriptionRow => ({
  ...stored,
  quantity: trimDecimal(stored.quantity),
  phases: stored.phases.map(
    ([position, from, serviceId, quantity, yearAnchor, isApplied, chargeQuantities]) => ({
      position,
      from: new Date(from),
      serviceId,
      quantity: trimDecimal(quantity),
      yearAnchor,
      isApplied,
      ...(chargeQuantities && { chargeQuantities }),
    }),
  ),
  pauses: stored.pauses.map(([position, from, until, isBegun, isOver]) => ({
    position,
    from: new Date(from),
    until: until === null ? null : new Date(until),
    isBegun,
    isOver,
  })),
  suspensions: stored.suspensions.map(([from, until]) => ({
    from: new Date(from),
    until: until === null ? null : new Date(until),
  })),
});

const milliseconds = (column: 'from_at' | 'until_at') =>
  sql`(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`;
// An add-on is paused while its subscription is. Only the subscription records that a pause starts and ends,
// so nothing remains to be recorded for the add-on.
const columns = sql<Stored>`b.id, b.organization_id as "organizationId", b.service_id as "serviceId", b.state, b.held_state as "heldState", b.quantity, b.parent_id as "parentId", p.service_id as "parentServiceId", b.started_at as "startedAt", b.ends_at as "ownEndsAt", case when p.id is null then b.ends_at else least(b.ends_at, p.ends_at) end as "endsAt", b.trial_ends_at as "trialEndsAt",
  b.auto_renew as "autoRenew", b.version, o.time_zone as "timeZone",
  (select jsonb_agg(jsonb_build_array(position, ${milliseconds('from_at')}, service_id, quantity::text, year_anchor::text, is_applied, charge_quantities) order by from_at, position) from subscription_phase where subscription_id = b.id) as phases,
  (select coalesce(jsonb_agg(jsonb_build_array(position, ${milliseconds('from_at')}, ${milliseconds('until_at')}, is_begun or subscription_id <> b.id, is_over or subscription_id <> b.id) order by from_at, position), '[]') from subscription_pause where subscription_id in (b.id, b.parent_id)) as pauses,
  (select coalesce(jsonb_agg(jsonb_build_array(${milliseconds('from_at')}, ${milliseconds('until_at')}) order by from_at), '[]') from subscription_suspension where subscription_id = b.id) as suspensions`;
const tables = sql`subscription b join organization o on o.id = b.organization_id left join subscription p on p.id = b.parent_id`;

const order: ListOrder = {
  by: {
    createdAt: { expression: sql`b.created_at`, cast: 'timestamptz' },
    startedAt: { expression: sql`b.started_at`, cast: 'timestamptz' },
    name: { expression: sql`s.name`, cast: 'text' },
  },
  usual: 'name',
  id: sql`b.id`,
};

/** Returns one page of subscriptions of an organization (null: of all) with the exact total. */
export function pageOfSubscriptions(
  ctx: Ctx,
  organizationId: string | null,
  filter: In<typeof subscriptions.listSubscriptions>,
): Promise<Page<SubscriptionRow>> {
  const { q, state, billingCycle } = filter;
  const list = {
    columns,
    from: sql`${tables} join service s on s.id = b.service_id`,
    where: allOf(
      organizationId && sql`b.organization_id = ${organizationId}`,
      state && sql`b.state = ${sql.lit(state)}`,
      billingCycle && sql`s.billing_cycle = ${sql.lit(billingCycle)}`,
      q && sql`s.name ilike ${containsPattern(q)}`,
    ),
    order,
    counter: q || organizationId || billingCycle ? undefined : rowsCounted('subscription', state),
  };
  return readPage(ctx.db, filter, list, toRow);
}

/** Returns one subscription; with an organization, a subscription of another one is not found. */
export async function subscriptionById(
  db: Kysely<unknown>,
  id: string,
  organizationId: string | null,
): Promise<SubscriptionRow | undefined> {
  const { rows } =
    await sql<Stored>`select ${columns} from ${tables} where b.id = ${id} and (${organizationId}::text is null or b.organization_id = ${organizationId})`.execute(
      db,
    );
  return rows[0] && toRow(rows[0]);
}

/** Locks a subscription until the transaction ends; read it afterwards. */
export async function lockSubscription(ctx: Ctx, id: string): Promise<void> {
  await sql`select 1 from subscription where id = ${id} for update`.execute(ctx.db);
}

/** Returns subscriptions by id, in no particular order. */
export async function subscriptionsByIds(
  db: Kysely<unknown>,
  ids: readonly string[],
): Promise<SubscriptionRow[]> {
  const { rows } = await sql<Stored>`--hot subscriptions-by-id
    select ${columns} from ${tables} where b.id = any(${ids as string[]}::text[])`.execute(db);
  return rows.map(toRow);
}

/** Returns every subscription that an organization ever had. */
export async function subscriptionsOf(
  db: Kysely<unknown>,
  organizationId: string,
): Promise<SubscriptionRow[]> {
  const { rows } = await sql<Stored>`--hot subscriptions-of-organization
    select ${columns} from ${tables} where b.organization_id = ${organizationId} order by coalesce(b.parent_id, b.id), b.id`.execute(
    db,
  );
  return rows.map(toRow);
}

/** Returns the add-ons of some subscriptions, in the order in which they were added. */
export async function addOnsOf(
  db: Kysely<unknown>,
  parentIds: readonly string[],
): Promise<(SubscriptionRow & { readonly parentId: Id<'sub'> })[]> {
  const { rows } = await sql<Stored & { parentId: Id<'sub'> }>`--hot add-ons
    select ${columns} from ${tables} where b.parent_id = any(${[...parentIds]}::text[]) order by b.started_at, b.id`.execute(
    db,
  );
  return rows.map(toRow);
}

/** Returns every subscription of several organizations, for closing a month in bulk. */
export async function subscriptionsOfMany(
  db: Kysely<unknown>,
  organizationIds: readonly string[],
): Promise<SubscriptionRow[]> {
  const { rows } =
    await sql<Stored>`select ${columns} from ${tables} where b.organization_id = any(${organizationIds as string[]}::text[]) order by b.organization_id, coalesce(b.parent_id, b.id), b.id`.execute(
      db,
    );
  return rows.map(toRow);
}

export type NewSubscription = {
  organizationId: string;
  serviceId: string;
  startedAt: Date;
  quantity: string;
  trialEndsAt: Date | null;
  endsAt: Date | null;
  /** `cancelling` if it ends at `endsAt` in any case, `scheduled` if it starts later. */
  state?: 'active' | 'cancelling' | 'scheduled';
  parentId?: string | null;
  autoRenew: boolean;
  yearAnchor: LocalDay | null;
  chargeQuantities?: Readonly<Record<string, string>> | undefined;
};

/**
 * Adds a subscription with its first phase. If the organization already has an open one of the same service,
 * returns that one; its start moves back to the given time if that is earlier.
 */
export async function insertSubscription(
  ctx: Ctx,
  subscription: NewSubscription,
): Promise<{ id: Id<'sub'>; created: boolean }> {
  const { rows } = await sql<{
    id: Id<'sub'>;
  }>`insert into subscription (id, organization_id, service_id, state, quantity, started_at, trial_ends_at, ends_at, auto_renew, parent_id, created_at)
    values (${ctx.newId('sub')}, ${subscription.organizationId}, ${subscription.serviceId}, ${subscription.state ?? 'active'}, ${subscription.quantity}, ${subscription.startedAt}, ${subscription.trialEndsAt}, ${subscription.endsAt}, ${subscription.autoRenew}, ${subscription.parentId ?? null}, ${ctx.now})
    on conflict (organization_id, service_id, coalesce(parent_id, '')) where state <> 'canceled' and state <> 'expired' do nothing returning id`.execute(
    ctx.db,
  );
  const id = rows[0]?.id;
  if (id !== undefined) {
    await insertPhase(ctx, id, {
      from: subscription.startedAt,
      serviceId: subscription.serviceId,
      quantity: subscription.quantity,
      yearAnchor: subscription.yearAnchor,
      chargeQuantities: subscription.chargeQuantities,
      isApplied: true,
    });
    return { id, created: true };
  }
  const existing = await sql<{
    id: Id<'sub'>;
  }>`update subscription set started_at = least(started_at, ${subscription.startedAt}) where organization_id = ${subscription.organizationId} and service_id = ${subscription.serviceId}
    and parent_id is not distinct from ${subscription.parentId ?? null} and state not in ('canceled', 'expired') returning id`.execute(
    ctx.db,
  );
  if (!existing.rows[0]) throw new Error('the subscription was neither made nor there');
  return { id: existing.rows[0].id, created: false };
}

/**
 * Whether an organization has an open subscription to a service, or one that is scheduled to change to it;
 * for an add-on, on `parentId`.
 */
export async function hasOpen(
  ctx: Ctx,
  organizationId: string,
  serviceId: string,
  parentId: string | null,
): Promise<boolean> {
  const { rows } =
    await sql`select 1 from subscription b where b.organization_id = ${organizationId} and b.parent_id is not distinct from ${parentId} and b.state not in ('canceled', 'expired')
    and (b.service_id = ${serviceId} or exists (select 1 from subscription_phase p where p.subscription_id = b.id and not p.is_applied and p.service_id = ${serviceId})) limit 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Whether a subscription did not end before it started, with the one it was added to or on its own. */
const hasEverBegun = sql`(b.parent_id is null or b.ends_at is null or b.ends_at > b.started_at)`;

/**
 * Whether an organization ever subscribed to a service or to another plan of its family: a trial is granted
 * once. What was called off before it started does not count.
 */
export async function hasSubscribedBefore(
  ctx: Ctx,
  organizationId: string,
  service: { id: string; family: string },
): Promise<boolean> {
  const { rows } =
    await sql`select 1 from subscription b join subscription_phase p on p.subscription_id = b.id join service s on s.id = p.service_id
    where b.organization_id = ${organizationId} and ${hasEverBegun} and (s.id = ${service.id} or (${service.family} <> '' and s.family = ${service.family})) limit 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Returns an organization's paused subscriptions to a service or to another plan of its family. */
export async function pausedOfFamily(
  ctx: Ctx,
  organizationId: string,
  service: { readonly id: string; readonly family: string },
): Promise<Id<'sub'>[]> {
  const { rows } = await sql<{
    id: Id<'sub'>;
  }>`select b.id from subscription b join service s on s.id = b.service_id where b.organization_id = ${organizationId} and 'paused' in (b.state, b.held_state)
    and (s.id = ${service.id} or (${service.family} <> '' and s.family = ${service.family}))`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/**
 * Counts the subscriptions to a service that an organization has started, or will start, since a given time;
 * for an add-on, on `parentId`.
 */
export async function begunSince(
  ctx: Ctx,
  organizationId: string,
  serviceId: string,
  parentId: string | null,
  since: Date,
): Promise<number> {
  const { rows } = await sql<{
    begun: number;
  }>`select count(*)::int as begun from subscription b join subscription_phase p on p.subscription_id = b.id
    where b.organization_id = ${organizationId} and p.service_id = ${serviceId} and b.parent_id is not distinct from ${parentId} and b.started_at >= ${since} and p.from_at <= b.started_at
    and ${hasEverBegun}`.execute(ctx.db);
  return rows[0]?.begun ?? 0;
}

export type NewPhase = {
  from: Date;
  serviceId: string | null;
  quantity: string;
  yearAnchor: LocalDay | null;
  isApplied: boolean;
  chargeQuantities?: Readonly<Record<string, string>> | undefined;
};

/** Adds a phase; one that is not applied yet is the pending change. */
export async function insertPhase(ctx: Ctx, id: string, phase: NewPhase): Promise<void> {
  await sql`insert into subscription_phase (subscription_id, from_at, service_id, quantity, year_anchor, is_applied, charge_quantities) values (${id}, ${phase.from}, ${phase.serviceId}, ${phase.quantity}, ${phase.yearAnchor}::date, ${phase.isApplied}, ${phase.chargeQuantities ? JSON.stringify(phase.chargeQuantities) : null}::jsonb)`.execute(
    ctx.db,
  );
}
/** Marks the pending change as applied. */
export async function applyPhase(ctx: Ctx, id: string, position: number): Promise<void> {
  await sql`update subscription_phase set is_applied = true where subscription_id = ${id} and position = ${position}`.execute(
    ctx.db,
  );
}
/** Deletes the pending change, if there is one. */
export async function dropPendingPhase(ctx: Ctx, id: string): Promise<void> {
  await sql`delete from subscription_phase where subscription_id = ${id} and not is_applied`.execute(ctx.db);
}

/** Adds a pause. */
export async function insertPause(
  ctx: Ctx,
  id: string,
  pause: { from: Date; until: Date | null; isBegun: boolean; isOver: boolean },
): Promise<void> {
  await sql`insert into subscription_pause (subscription_id, from_at, until_at, is_begun, is_over) values (${id}, ${pause.from}, ${pause.until}, ${pause.isBegun}, ${pause.isOver})`.execute(
    ctx.db,
  );
}
/** Updates a pause: that it has started, when it ends, or that it is over. */
export async function updatePause(
  ctx: Ctx,
  id: string,
  position: number,
  pause: { until: Date | null; isBegun: boolean; isOver: boolean },
): Promise<void> {
  await sql`update subscription_pause set until_at = ${pause.until}, is_begun = ${pause.isBegun}, is_over = ${pause.isOver} where subscription_id = ${id} and position = ${position}`.execute(
    ctx.db,
  );
}
/** Deletes a pause that has not started. */
export async function dropPlannedPause(ctx: Ctx, id: string): Promise<void> {
  await sql`delete from subscription_pause where subscription_id = ${id} and not is_begun`.execute(ctx.db);
}

/** Adds a term; false if one with the same start exists. */
export async function insertTerm(ctx: Ctx, id: string, term: { start: Date; end: Date }): Promise<boolean> {
  const { rows } =
    await sql`insert into subscription_term (subscription_id, starts_at, ends_at, noted_at) values (${id}, ${term.start}, ${term.end}, ${ctx.now}) on conflict do nothing returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}
/** Returns the last term that was started or bought. */
export async function lastTerm(ctx: Ctx, id: string): Promise<{ start: Date; end: Date } | undefined> {
  const { rows } = await sql<{
    start: Date;
    end: Date;
  }>`select starts_at as start, ends_at as "end" from subscription_term where subscription_id = ${id} order by starts_at desc limit 1`.execute(
    ctx.db,
  );
  return rows[0];
}

/**
 * Stores a subscription's state and increments its version. A subscription held for unpaid bills also stores
 * the state it would have without the hold.
 */
export async function updateSubscription(
  ctx: Ctx,
  id: string,
  to: {
    state: SubscriptionState;
    heldState?: SubscriptionState | null;
    ownEndsAt: Date | null;
    serviceId: string;
    quantity: string;
    autoRenew: boolean;
  },
): Promise<void> {
  await sql`update subscription set state = ${to.state}, held_state = case when ${to.state} in ('past_due', 'suspended') then ${to.heldState ?? null} end, ends_at = ${to.ownEndsAt}, service_id = ${to.serviceId}, quantity = ${to.quantity}, auto_renew = ${to.autoRenew}, version = version + 1 where id = ${id}`.execute(
    ctx.db,
  );
}
/** Stores when the next step is due. */
export async function storeNextStep(ctx: Ctx, id: string, at: Date | null): Promise<void> {
  await sql`update subscription set next_step_at = ${at} where id = ${id}`.execute(ctx.db);
}
/** Returns the earliest time in the future at which a step of any subscription is due. */
export async function nextDueAt(ctx: Ctx): Promise<Date | undefined> {
  const { rows } = await sql<{
    at: Date;
  }>`select next_step_at as at from subscription where next_step_at > ${ctx.now} order by next_step_at limit 1`.execute(
    ctx.db,
  );
  return rows[0]?.at;
}

/** Returns subscriptions in which something has come due, longest overdue first; some may be excluded. */
export async function idsDue(ctx: Ctx, most: number, without: readonly string[]): Promise<Id<'sub'>[]> {
  const { rows } = await sql<{
    id: Id<'sub'>;
  }>`select id from subscription where next_step_at <= ${ctx.now} and id <> all(${[...without]}::text[]) order by next_step_at limit ${most}`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}
