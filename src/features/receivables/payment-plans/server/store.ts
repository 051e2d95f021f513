// SQL of payment plans: what was agreed, and how much of it is paid.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { PlanEnding } from '../contract.ts';
import type { Term } from '../rules.ts';

export type StoredPlan = {
  readonly id: Id<'ppl'>;
  readonly organizationId: Id<'org'>;
  readonly currency: Currency;
  readonly graceDays: number;
  readonly note: string;
  readonly agreedAt: Date;
  readonly agreedBy: string;
  readonly endedAt: Date | null;
  readonly ending: PlanEnding | null;
  readonly endReason: string;
  readonly terms: readonly { readonly on: LocalDay; readonly minor: bigint }[];
  readonly bills: readonly {
    readonly id: Id<'bil'>;
    readonly number: string;
    readonly isRunning: boolean;
    /** By how much credit notes reduced the bill since it is due in these installments. */
    readonly shortened: bigint;
    readonly due: bigint;
  }[];
};
type PlanRow = Omit<StoredPlan, 'terms' | 'bills'> & {
  terms: { on: LocalDay; minor: string }[];
  bills: { id: Id<'bil'>; number: string; isRunning: boolean; shortened: string; due: string }[];
};
const columns = sql<PlanRow>`l.id, l.organization_id as "organizationId", l.currency, l.grace_days as "graceDays", l.note, l.agreed_at as "agreedAt", l.agreer_name as "agreedBy", l.ended_at as "endedAt", l.ending, l.end_reason as "endReason",
  (select jsonb_agg(jsonb_build_object('on', i.due_on, 'minor', i.amount_minor::text) order by i.position) from payment_plan_instalment i where i.plan_id = l.id) as terms,
  (select jsonb_agg(jsonb_build_object('id', b.id, 'number', b.number, 'isRunning', p.ended_on is null, 'due', case when b.state = 'open' then b.total_minor - b.paid_minor - b.credited_minor else 0 end::text,
    'shortened', greatest(0, coalesce((select max(i.until_minor) from bill_instalment i where i.bill_id = b.id), 0) - (b.total_minor - b.credited_minor))::text) order by b.issued_at, b.number) from payment_plan_bill p join bill b on b.id = p.bill_id where p.plan_id = l.id) as bills`;
const toPlan = ({ terms, bills, ...row }: PlanRow): StoredPlan => ({
  ...row,
  terms: terms.map(({ on, minor }) => ({ on, minor: BigInt(minor) })),
  bills: bills.map(({ shortened, due, ...bill }) => ({
    ...bill,
    shortened: BigInt(shortened),
    due: BigInt(due),
  })),
});

/** Returns the plans of a bill, newest first. */
export async function plansOfBill(ctx: Ctx, billId: string): Promise<StoredPlan[]> {
  const { rows } =
    await sql<PlanRow>`select ${columns} from payment_plan l join payment_plan_bill x on x.plan_id = l.id where x.bill_id = ${billId} order by l.agreed_at desc, l.id desc`.execute(
      ctx.db,
    );
  return rows.map(toPlan);
}

export async function planById(ctx: Ctx, planId: string): Promise<StoredPlan | undefined> {
  const { rows } = await sql<PlanRow>`select ${columns} from payment_plan l where l.id = ${planId}`.execute(
    ctx.db,
  );
  return rows[0] && toPlan(rows[0]);
}

/** Stores what was agreed for some bills. */
export async function insertPlan(
  ctx: Ctx,
  plan: {
    organizationId: string;
    currency: Currency;
    graceDays: number;
    note: string;
    by: { userId: string; name: string };
    today: LocalDay;
    terms: readonly Term[];
    billIds: readonly string[];
  },
): Promise<Id<'ppl'>> {
  const planId = ctx.newId('ppl');
  await sql`insert into payment_plan (id, organization_id, currency, grace_days, note, agreed_at, agreed_by, agreer_name) values (${planId}, ${plan.organizationId}, ${plan.currency}, ${plan.graceDays}, ${plan.note}, ${ctx.now}, ${plan.by.userId}, ${plan.by.name})`.execute(
    ctx.db,
  );
  await sql`insert into payment_plan_instalment (plan_id, position, due_on, amount_minor) select ${planId}, position, due_on, minor from unnest(${plan.terms.map(({ on }) => on)}::date[], ${plan.terms.map(({ amount }) => amount.minor)}::bigint[]) with ordinality as t (due_on, minor, position)`.execute(
    ctx.db,
  );
  await sql`insert into payment_plan_bill (plan_id, bill_id, agreed_on) select ${planId}, id, ${plan.today}::date from unnest(${[...plan.billIds]}::text[]) as b (id)`.execute(
    ctx.db,
  );
  return planId;
}

/** Stores the installments of a new plan's bills, for display after the plan has ended. */
export async function keepParts(ctx: Ctx, planId: string): Promise<void> {
  await sql`insert into payment_plan_part (plan_id, bill_id, position, due_on, from_minor, until_minor)
    select p.plan_id, i.bill_id, i.position, i.due_on, i.from_minor, i.until_minor from payment_plan_bill p join bill_instalment i on i.bill_id = p.bill_id where p.plan_id = ${planId}`.execute(
    ctx.db,
  );
}

/**
 * The days of a bill's plans, each with the installments of the bill; `until`: the first day without the
 * plan, null while it runs.
 */
export type PlanSpan = {
  readonly from: LocalDay;
  readonly until: LocalDay | null;
  readonly parts: readonly { readonly on: LocalDay; readonly from: bigint; readonly until: bigint }[];
};

export async function planSpansOf(ctx: Ctx, billId: string): Promise<PlanSpan[]> {
  const { rows } = await sql<{
    from: LocalDay;
    until: LocalDay | null;
    parts: { on: LocalDay; from: string; until: string }[];
  }>`select p.agreed_on::text as "from", p.ended_on::text as until,
    (select coalesce(jsonb_agg(jsonb_build_object('on', i.due_on, 'from', i.from_minor::text, 'until', i.until_minor::text) order by i.position), '[]') from payment_plan_part i where i.plan_id = p.plan_id and i.bill_id = p.bill_id) as parts
    from payment_plan_bill p where p.bill_id = ${billId} order by p.agreed_on`.execute(ctx.db);
  return rows.map(({ parts, ...span }) => ({
    ...span,
    parts: parts.map(({ on, from, until }) => ({ on, from: BigInt(from), until: BigInt(until) })),
  }));
}

/** Returns which of some bills have a running plan. */
export async function runningAmong(
  ctx: Ctx,
  billIds: readonly string[],
): Promise<{ billId: Id<'bil'>; planId: Id<'ppl'>; isOpen: boolean }[]> {
  const { rows } = await sql<{
    billId: Id<'bil'>;
    planId: Id<'ppl'>;
    isOpen: boolean;
  }>`select p.bill_id as "billId", p.plan_id as "planId", b.state = 'open' as "isOpen" from payment_plan_bill p join bill b on b.id = p.bill_id where p.bill_id = any(${[...billIds]}::text[]) and p.ended_on is null order by p.plan_id`.execute(
    ctx.db,
  );
  return rows;
}

/**
 * Ends a plan for some of its bills (null: for all remaining), on the organization's current day. Returns
 * those bills.
 */
export async function endBills(
  ctx: Ctx,
  planId: string,
  billIds: readonly string[] | null,
): Promise<Id<'bil'>[]> {
  const { rows } = await sql<{
    id: Id<'bil'>;
  }>`update payment_plan_bill p set ended_on = (${ctx.now}::timestamptz at time zone o.time_zone)::date from payment_plan l join organization o on o.id = l.organization_id
    where l.id = p.plan_id and p.plan_id = ${planId} and p.ended_on is null and (${billIds}::text[] is null or p.bill_id = any(${billIds}::text[])) returning p.bill_id as id`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

/** Marks a plan as ended if no bills remain in it. Returns whether it did. */
export async function endPlan(
  ctx: Ctx,
  planId: string,
  ending: PlanEnding,
  reason: string,
): Promise<boolean> {
  const { rows } =
    await sql`update payment_plan l set ended_at = ${ctx.now}, ending = ${ending}, end_reason = ${reason} where l.id = ${planId} and l.ended_at is null and not exists (select from payment_plan_bill p where p.plan_id = l.id and p.ended_on is null) returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** A running plan with its earliest missed installment. */
export type MissedPlan = {
  readonly planId: Id<'ppl'>;
  readonly organizationId: Id<'org'>;
  readonly organization: string;
  readonly currency: Currency;
  readonly on: LocalDay;
  /** The unpaid amount of past installments, over all bills. */
  readonly minor: bigint;
  readonly billIds: readonly Id<'bil'>[];
  /** Whether the grace period is over, too, and no payment is in transit. */
  readonly isOver: boolean;
  /** The last day of the grace period. */
  readonly until: LocalDay;
};

/**
 * Returns running plans with a past installment that is unpaid: a specific one, or the next ones after a
 * plan, by id.
 */
export async function missedPlans(
  ctx: Ctx,
  of: { readonly planId: string } | { readonly after: string },
  limit: number,
): Promise<MissedPlan[]> {
  const { rows } = await sql<MissedPlan>`
    with part as (select l.id, l.organization_id, l.currency, l.grace_days, i.due_on, b.id as bill_id, b.is_processing, (${ctx.now}::timestamptz at time zone o.time_zone)::date as today, o.name as organization,
        greatest(0, least(i.until_minor, b.total_minor - b.credited_minor) - greatest(i.from_minor, b.paid_minor)) as rest
      from payment_plan l join organization o on o.id = l.organization_id join payment_plan_bill p on p.plan_id = l.id and p.ended_on is null join bill b on b.id = p.bill_id and b.state = 'open' join bill_instalment i on i.bill_id = b.id
      where l.ended_at is null and ${'planId' in of ? sql`l.id = ${of.planId}` : sql`l.id > ${of.after}`})
    select id as "planId", organization_id as "organizationId", organization, currency, min(due_on)::text as "on", sum(rest)::bigint as minor, array_agg(distinct bill_id) as "billIds",
      (min(due_on) + min(grace_days) < min(today) and not bool_or(is_processing)) as "isOver", (min(due_on) + min(grace_days))::text as until
    from part where rest > 0 and due_on < today group by id, organization_id, organization, currency order by id limit ${limit}`.execute(
    ctx.db,
  );
  return rows;
}
