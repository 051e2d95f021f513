// SQL of limits: granted and requested raises, and reservations.
import { sql } from 'kysely';
import { trimDecimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import type { Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { allOf, readPage, rowItself, rowsCounted, type ListOrder } from '#platform/server/database/paging.ts';
import type { RaiseState } from '../contract.ts';
import { heldOf } from './store.ts';

export type RaiseRow = {
  id: Id<'rai'>;
  subscriptionId: Id<'sub'>;
  organizationId: Id<'org'>;
  organization: string;
  serviceName: string;
  unit: string;
  state: RaiseState;
  limit: string;
  reason: string;
  usedThen: string;
  limitThen: string;
  askedAt: Date;
  askedBy: string;
  grantedLimit: string | null;
  answer: string;
  decidedAt: Date | null;
  decidedBy: string | null;
};

const nameOf = (column: 'asked_by' | 'decided_by') =>
  sql`coalesce((select u.name from app_user u where u.id = ${sql.ref(`r.${column}`)}), '')`;
const columns = sql<RaiseRow>`r.id, r.subscription_id as "subscriptionId", r.organization_id as "organizationId", o.name as organization, s.name as "serviceName", coalesce((select n.unit from meter n where n.key = s.quota_meter), s.unit) as unit, r.state, r.asked_limit as limit, r.reason, r.used_then as "usedThen", r.limit_then as "limitThen",
  r.asked_at as "askedAt", ${nameOf('asked_by')} as "askedBy", r.granted_limit as "grantedLimit", r.answer, r.decided_at as "decidedAt", case when r.decided_by is not null then ${nameOf('decided_by')} end as "decidedBy"`;
const tables = sql`quota_raise r join subscription b on b.id = r.subscription_id join service s on s.id = b.service_id join organization o on o.id = r.organization_id`;
const trimmed = <T extends RaiseRow>(row: T): T => ({
  ...row,
  limit: trimDecimal(row.limit),
  usedThen: trimDecimal(row.usedThen),
  limitThen: trimDecimal(row.limitThen),
  grantedLimit: row.grantedLimit === null ? null : trimDecimal(row.grantedLimit),
});

/**
 * Returns one request; with an organization, only that organization's. With `lock`, no other transaction can
 * decide it until this one ends.
 */
export async function raiseById(
  ctx: Ctx,
  id: string,
  organizationId: string | null,
  lock = false,
): Promise<RaiseRow | undefined> {
  const { rows } =
    await sql<RaiseRow>`select ${columns} from ${tables} where r.id = ${id} and (${organizationId}::text is null or r.organization_id = ${organizationId}) ${lock ? sql`for update of r` : sql``}`.execute(
      ctx.db,
    );
  return rows[0] && trimmed(rows[0]);
}

/** Returns the requests of a subscription, newest first. */
export async function raisesOf(ctx: Ctx, subscriptionId: string): Promise<RaiseRow[]> {
  const { rows } =
    await sql<RaiseRow>`select ${columns} from ${tables} where r.subscription_id = ${subscriptionId} order by r.id desc limit 100`.execute(
      ctx.db,
    );
  return rows.map(trimmed);
}

const raiseOrder: ListOrder = {
  by: { askedAt: { expression: sql`r.asked_at`, cast: 'timestamptz' } },
  usual: '-askedAt',
  id: sql`r.id`,
};

/** Returns one page of all requests, newest first, with the exact total. */
export function pageOfRaises(
  ctx: Ctx,
  input: { limit?: number | undefined; cursor?: string | undefined; state?: RaiseState | undefined },
): Promise<Page<RaiseRow>> {
  const list = {
    columns,
    from: tables,
    where: allOf(input.state && sql`r.state = ${sql.lit(input.state)}`),
    order: raiseOrder,
    counter: rowsCounted('quota_raise', input.state),
  };
  return readPage(ctx.db, input, list, (row) => trimmed(rowItself(row)));
}

/** Adds a request; false if one is already open. */
export async function insertRaise(
  ctx: Ctx,
  raise: {
    id: string;
    subscriptionId: string;
    organizationId: string;
    limit: string;
    reason: string;
    usedThen: string;
    limitThen: string;
    askedBy: string;
  },
): Promise<boolean> {
  const { rows } =
    await sql`insert into quota_raise (id, subscription_id, organization_id, state, asked_limit, reason, used_then, limit_then, asked_by, asked_at)
    values (${raise.id}, ${raise.subscriptionId}, ${raise.organizationId}, 'open', ${raise.limit}, ${raise.reason}, ${raise.usedThen}, ${raise.limitThen}, ${raise.askedBy}, ${ctx.now})
    on conflict (subscription_id) where state = 'open' do nothing returning 1`.execute(ctx.db);
  return rows.length > 0;
}

/** Stores the decision on a request. */
export async function decideRaise(
  ctx: Ctx,
  id: string,
  decision: { state: Exclude<RaiseState, 'open'>; grantedLimit: string | null; answer: string; by: string },
): Promise<void> {
  await sql`update quota_raise set state = ${decision.state}, granted_limit = ${decision.grantedLimit}, answer = ${decision.answer}, decided_by = ${decision.by}, decided_at = ${ctx.now} where id = ${id}`.execute(
    ctx.db,
  );
}

/**
 * Raises and reservations of subscriptions in their current months, in addition to the service's own quota.
 */
export type RaisesAndReservations = {
  readonly granted: string | null;
  readonly reserved: string;
  readonly open: { id: Id<'rai'>; limit: string; askedAt: Date } | null;
};

/** Returns them by subscription id; subscriptions without raises and reservations are left out. */
export async function raisesAndReservationsOf(
  ctx: Ctx,
  subscriptions: readonly { id: string; month: string }[],
): Promise<ReadonlyMap<string, RaisesAndReservations>> {
  if (subscriptions.length === 0) return new Map();
  const { rows } = await sql<{
    id: string;
    granted: string | null;
    reserved: string;
    raiseId: Id<'rai'> | null;
    limit: string | null;
    askedAt: Date | null;
  }>`
    select k.id, g.granted, ${heldOf(sql`k.id`, sql`k.month`, ctx.now)} as reserved, r.id as "raiseId", r.asked_limit as limit, r.asked_at as "askedAt"
    from unnest(${subscriptions.map((each) => each.id)}::text[], ${subscriptions.map((each) => each.month)}::bpchar[]) as k (id, month)
      cross join lateral (select max(granted_limit) as granted from quota_raise where subscription_id = k.id and state = 'granted') g
      left join quota_raise r on r.subscription_id = k.id and r.state = 'open'`.execute(ctx.db);
  return new Map(
    rows.map(({ id, granted, reserved, raiseId, limit, askedAt }) => [
      id,
      {
        granted,
        reserved,
        open:
          raiseId && limit !== null && askedAt ? { id: raiseId, limit: trimDecimal(limit), askedAt } : null,
      },
    ]),
  );
}
