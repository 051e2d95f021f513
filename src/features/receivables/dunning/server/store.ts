// SQL of bills on the dunning schedule.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth, LocalDay, Page } from '#kernel/shape.ts';
import type { In } from '#kernel/contract.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowItself,
  searchTotalCap,
} from '#platform/server/database/paging.ts';
import { isInParts, usedBy } from '#features/invoicing/billing/server/index.ts';
import type { dunning, DunningAction, DunningPlan, HoldLevel } from '../contract.ts';
import { stepName, type EarlierStep } from '../rules.ts';

/** Limits which bills are dunned: since when dunning is on (null: as if always), and the minimum amounts. */
export type Scope = { readonly on: Date | null; readonly plan: Pick<DunningPlan, 'steps' | 'minimums'> };

/** An open bill for dunning. */
export type StandingBill = {
  readonly billId: Id<'bil'>;
  readonly number: string;
  readonly month: BillingMonth;
  readonly organizationId: Id<'org'>;
  readonly organization: string;
  /**
   * The organization whose services are restricted: the one that used what the bill charges; with its name if
   * another one pays.
   */
  readonly userId: Id<'org'>;
  readonly usedByName: string | null;
  /**
   * Whether that organization is exempt, or pays for its other services itself: the payer is reminded, but
   * nothing is restricted.
   */
  readonly isUserExempt: boolean;
  readonly due: Money;
  /**
   * The day from which the schedule counts, in the organization's time zone, and how many days ago that was.
   */
  readonly base: LocalDay;
  readonly elapsed: number;
  readonly isExtended: boolean;
  readonly round: number;
  readonly taken: readonly EarlierStep[];
  readonly last: { readonly action: DunningAction; readonly at: Date } | null;
  readonly level: HoldLevel | null;
};

const due = sql`(b.total_minor - b.paid_minor - b.credited_minor)`;
const dayIn = (moment: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${moment} at time zone o.time_zone)::date`;
/**
 * Days of ended payment plans do not count, so that the schedule continues where it stood; plans before a
 * granted date have no effect, because the schedule restarts from that date.
 */
const pausedDays = sql`coalesce((select sum(p.ended_on - p.agreed_on)::int from payment_plan_bill p join payment_plan l on l.id = p.plan_id where p.bill_id = b.id and p.ended_on is not null and (e.granted_at is null or l.agreed_at > e.granted_at)), 0)`;
/**
 * A bill that was overdue before dunning was turned on counts from that day; a granted date overrides both.
 */
const baseOf = (on: Date | null): RawBuilder<unknown> =>
  sql`(coalesce(e.until_day, greatest(${dayIn(sql`b.due_at`)}, ${dayIn(sql`${on}::timestamptz`)})) + ${pausedDays})`;
const elapsedOf = (ctx: Ctx, on: Date | null): RawBuilder<unknown> =>
  sql`(${dayIn(sql`${ctx.now}::timestamptz`)} - ${baseOf(on)})`;
const tables = sql`bill b join organization o on o.id = b.organization_id
  left join lateral (select round, until_day, granted_at from dunning_extension x where x.bill_id = b.id order by round desc limit 1) e on true left join dunning_hold h on h.organization_id = ${usedBy('b')}`;
/** Open bills above the minimum, of organizations that are not exempt, without a running payment plan. */
const isDunned = ({
  minimums,
}: Pick<
  DunningPlan,
  'minimums'
>): RawBuilder<unknown> => sql`b.state = 'open' and not ${isInParts} and not exists (select from dunning_exemption x where x.organization_id = b.organization_id)
  and ${due} >= greatest(1, coalesce((select m.minor from unnest(${minimums.map((each) => each.currency)}::text[], ${minimums.map((each) => each.minor)}::bigint[]) as m (currency, minor) where m.currency = b.currency), 0))`;
/**
 * Whether the organization that used the services is spared although its payer is dunned: it is exempt, or
 * the bill is for single subscriptions, while a restriction would affect all of its services.
 */
const isUserExempt = sql`(b.by_subscription or exists (select from dunning_exemption x where x.organization_id = b.used_by_id))`;
const columns = (
  ctx: Ctx,
  on: Date | null,
) => sql`b.id as "billId", b.number, b.month, b.organization_id as "organizationId", o.name as organization, ${usedBy('b')} as "userId", b.used_by_name as "usedByName", ${isUserExempt} as "isUserExempt", ${due} as "dueMinor", b.currency, ${baseOf(on)}::text as base, ${elapsedOf(ctx, on)} as elapsed,
  e.until_day is not null as "isExtended", coalesce(e.round, 0) as round, h.level,
  (select coalesce(jsonb_agg(jsonb_build_array(s.step, s.day)), '[]') from dunning_step s where s.bill_id = b.id and s.round = coalesce(e.round, 0)) as taken,
  (select jsonb_build_array(s.action, extract(epoch from s.taken_at) * 1000) from dunning_step s where s.bill_id = b.id and not s.is_skipped order by s.taken_at desc, s.day desc limit 1) as last`;
type Row = Omit<StandingBill, 'due' | 'taken' | 'last'> & {
  dueMinor: bigint;
  currency: Currency;
  taken: [string, number][];
  last: [DunningAction, number] | null;
};
const toBill = ({ dueMinor, currency, taken, last, ...row }: Row): StandingBill => ({
  ...row,
  due: money(dueMinor, currency),
  taken: taken.map(([step, day]) => ({ step, day })),
  last: last && { action: last[0], at: new Date(last[1]) },
});

/** Locks the next bills that may have a due step, in the order of their ids; read them afterwards. */
export async function lockDue(
  ctx: Ctx,
  { on, plan }: Scope,
  after: string,
  limit: number,
): Promise<Id<'bil'>[]> {
  const { rows } = await sql<{
    id: Id<'bil'>;
  }>`select b.id from ${tables} where b.id > ${after} and ${isDunned(plan)}
    and exists (select from unnest(${plan.steps.map(stepName)}::text[], ${plan.steps.map((each) => each.day)}::int[], ${plan.steps.map((each) => each.action === 'reminder')}::boolean[]) as l (step, day, only_reminds) where l.day <= ${elapsedOf(ctx, on)} and (l.only_reminds or not ${isUserExempt})
      and not exists (select from dunning_step s where s.bill_id = b.id and s.round = coalesce(e.round, 0) and s.step = l.step))
    order by b.id limit ${limit} for update of b`.execute(ctx.db);
  return rows.map((row) => row.id);
}

/** Returns those of some bills that are currently dunned. */
export async function billsById(
  ctx: Ctx,
  { on, plan }: Scope,
  billIds: readonly string[],
): Promise<StandingBill[]> {
  const { rows } =
    await sql<Row>`select ${columns(ctx, on)} from ${tables} where b.id = any(${[...billIds]}::text[]) and ${isDunned(plan)} order by b.id`.execute(
      ctx.db,
    );
  return rows.map(toBill);
}

/** Returns the next open bills after a given one, by id, whatever their amount due. */
export async function billsAfter(
  ctx: Ctx,
  { on, plan }: Scope,
  after: string,
  limit: number,
): Promise<StandingBill[]> {
  const { rows } =
    await sql<Row>`select ${columns(ctx, on)} from ${tables} where b.id > ${after} and ${isDunned(plan)} order by b.id limit ${limit}`.execute(
      ctx.db,
    );
  return rows.map(toBill);
}

/** Returns the overdue bills that an organization pays, longest overdue first. */
export async function overdueOf(
  ctx: Ctx,
  { on, plan }: Scope,
  organizationId: string,
): Promise<StandingBill[]> {
  const { rows } =
    await sql<Row>`select ${columns(ctx, on)} from ${tables} where b.organization_id = ${organizationId} and ${isDunned(plan)} and ${elapsedOf(ctx, null)} > 0 order by b.due_at, b.id`.execute(
      ctx.db,
    );
  return rows.map(toBill);
}

/**
 * Returns the overdue bills because of which an organization's services are restricted; no other transaction
 * can pay or void them until this one ends.
 */
export async function lockOverdueUses(
  ctx: Ctx,
  { on, plan }: Scope,
  userId: string,
): Promise<StandingBill[]> {
  const { rows } =
    await sql<Row>`select ${columns(ctx, on)} from ${tables} where ${usedBy('b')} = ${userId} and ${isDunned(plan)} and ${elapsedOf(ctx, null)} > 0 order by b.id for update of b`.execute(
      ctx.db,
    );
  return rows.map(toBill);
}

/** Returns the organizations whose usage the open bills of a payer charge. */
export async function usersOfPayer(ctx: Ctx, organizationId: string): Promise<Id<'org'>[]> {
  const { rows } = await sql<{
    id: Id<'org'>;
  }>`select distinct ${usedBy('b')} as id from bill b where b.organization_id = ${organizationId} and b.state = 'open' union select ${organizationId}`.execute(
    ctx.db,
  );
  return rows.map(({ id }) => id);
}

/** Returns those of some organizations with an overdue bill for their services, whoever pays it. */
export async function withOverdue(
  ctx: Ctx,
  { plan }: Scope,
  organizationIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{
    id: string;
  }>`select distinct ${usedBy('b')} as id from ${tables} where ${usedBy('b')} = any(${[...organizationIds]}::text[]) and ${isDunned(plan)} and not ${isUserExempt} and ${elapsedOf(ctx, null)} > 0`.execute(
    ctx.db,
  );
  return new Set(rows.map((row) => row.id));
}

/** Returns one page of the bills on the schedule. */
export function pageOfDunned(
  ctx: Ctx,
  { on, plan }: Scope,
  input: In<typeof dunning.listDunned>,
): Promise<Page<StandingBill>> {
  const pattern = input.q ? containsPattern(input.q) : undefined;
  const list = {
    columns: sql<Row & { id: string }>`b.id, ${columns(ctx, on)}`,
    from: tables,
    where: allOf(
      isDunned(plan),
      sql`${elapsedOf(ctx, on)} >= ${plan.steps[0]?.day ?? 0}`,
      input.level && sql`h.level = ${input.level}`,
      pattern &&
        sql`(b.number ilike ${pattern} or o.name ilike ${pattern} or b.used_by_name ilike ${pattern})`,
    ),
    order: {
      by: {
        dueOn: { expression: sql`${baseOf(on)}::text`, cast: 'text' },
        due: { expression: due, cast: 'bigint' },
        organization: { expression: sql`o.name`, cast: 'text' },
      },
      usual: 'dueOn',
      id: sql`b.id`,
    } as const,
    cap: searchTotalCap,
  };
  return readPage(ctx.db, input, list, (row) => {
    const { id: _id, ...bill } = rowItself(row);
    return toBill(bill);
  });
}
