// SQL of late fees: the versions of their terms, late bills, and charges.
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { LateFeeTerms } from '../contract.ts';
import type { Span, Stretch } from '../rules.ts';

/** Terms from a given time on; null: late fees are off. */
export type TermsVersion = {
  readonly version: number;
  readonly since: Date;
  readonly terms: LateFeeTerms | null;
  readonly madeBy: Id<'usr'>;
  readonly by: string;
};

/** Returns all versions, oldest first; there are few. */
export async function versionsOf(ctx: Ctx): Promise<TermsVersion[]> {
  const { rows } = await sql<
    Omit<TermsVersion, 'terms'> & { terms: z.input<typeof LateFeeTerms> | null }
  >`select version, since, terms, made_by as "madeBy", maker_name as by from late_fee_terms order by version`.execute(
    ctx.db,
  );
  return rows.map(({ terms, ...row }) => ({ ...row, terms: terms && z.decode(LateFeeTerms, terms) }));
}

export async function insertVersion(
  ctx: Ctx,
  terms: LateFeeTerms | null,
  by: { readonly userId: string; readonly name: string },
): Promise<void> {
  const wire = terms && JSON.stringify(z.encode(LateFeeTerms, terms));
  await sql`insert into late_fee_terms (since, terms, made_by, maker_name) values (${ctx.now}, ${wire}::jsonb, ${by.userId}, ${by.name})`.execute(
    ctx.db,
  );
}

/**
 * Returns the next bills, by id, that may have late days in past months that were not processed yet. `since`:
 * when late fees were first turned on.
 */
export async function billsToLookAt(
  ctx: Ctx,
  since: Date,
  after: string,
  limit: number,
): Promise<Id<'bil'>[]> {
  const { rows } = await sql<{
    id: Id<'bil'>;
  }>`select b.id from bill b join organization o on o.id = b.organization_id left join late_fee_progress p on p.bill_id = b.id
    cross join lateral (select date_trunc('month', ${ctx.now}::timestamptz at time zone o.time_zone)::date - 1 as last_day) m
    where b.id > ${after} and b.issued_at >= ${since} and b.state <> 'void' and b.total_minor > 0 and o.closed_at is null and (b.due_at at time zone o.time_zone)::date < m.last_day
      and (p.bill_id is null or (p.through_on < m.last_day and (b.state = 'open' or not p.is_settled)))
    order by b.id limit ${limit}`.execute(ctx.db);
  return rows.map((row) => row.id);
}

export type LateRow = {
  readonly total: bigint;
  readonly number: string;
  readonly organizationId: Id<'org'>;
  readonly organization: string;
  readonly currency: Currency;
  readonly state: 'open' | 'paid' | 'void';
  readonly due: bigint;
  readonly issuedAt: Date;
  readonly dueOn: LocalDay;
  readonly today: LocalDay;
  readonly timeZone: string;
  /** Granted later dates and open disputes, during which days are free. */
  readonly free: readonly Span[];
  /** Its organization is exempt from dunning. */
  readonly isExempt: boolean;
  readonly charged: bigint;
  /** The last day that was charged; null for none. */
  readonly chargedThrough: LocalDay | null;
  readonly forgiven: bigint;
};

/** Returns a bill with its charges. The caller holds its lock when charging. */
export async function lateRow(ctx: Ctx, billId: string): Promise<LateRow> {
  const { rows } =
    await sql<LateRow>`select b.total_minor as total, b.number, b.organization_id as "organizationId", o.name as organization, b.currency, b.state,
      b.total_minor - b.paid_minor - b.credited_minor as due, b.issued_at as "issuedAt", (b.due_at at time zone o.time_zone)::date::text as "dueOn", (${ctx.now}::timestamptz at time zone o.time_zone)::date::text as today, o.time_zone as "timeZone",
      (select coalesce(jsonb_agg(jsonb_build_object('from', f.from_on, 'until', f.until_on)), '[]') from (
        select (e.granted_at at time zone o.time_zone)::date as from_on, e.until_day + 1 as until_on from dunning_extension e where e.bill_id = b.id
        union all select (d.created_at at time zone o.time_zone)::date, (d.closed_at at time zone o.time_zone)::date from payment_dispute d join payment y on y.id = d.payment_id where y.bill_id = b.id) f) as free,
      exists (select from dunning_exemption x where x.organization_id = b.organization_id) as "isExempt",
      (select coalesce(sum(l.amount_minor), 0)::bigint from late_fee l where l.bill_id = b.id) as charged,
      (select max(l.period) from late_fee l where l.bill_id = b.id and l.step_day is null) as "chargedThrough", coalesce(p.forgiven_minor, 0)::bigint as forgiven
    from bill b join organization o on o.id = b.organization_id left join late_fee_progress p on p.bill_id = b.id where b.id = ${billId}`.execute(
      ctx.db,
    );
  return required(rows[0], 'a bill');
}

export async function storeProgress(
  ctx: Ctx,
  billId: string,
  progress: { readonly through: LocalDay; readonly forgiven: bigint; readonly isSettled: boolean },
): Promise<void> {
  await sql`insert into late_fee_progress (bill_id, through_on, forgiven_minor, is_settled) values (${billId}, ${progress.through}::date, ${progress.forgiven}, ${progress.isSettled})
    on conflict (bill_id) do update set through_on = excluded.through_on, forgiven_minor = excluded.forgiven_minor, is_settled = excluded.is_settled`.execute(
    ctx.db,
  );
}

/**
 * Stores a charge; `period` is its last day, or the step of the schedule. @throws Error when the bill already
 * has one for that period.
 */
export async function insertFee(
  ctx: Ctx,
  fee: {
    readonly id: Id<'lfe'>;
    readonly billId: string;
    readonly organizationId: string;
    readonly period: string;
    readonly currency: Currency;
    readonly minor: bigint;
    readonly stretches: readonly Stretch[];
    readonly stepDay: number | null;
    readonly oneOffId: Id<'ooc'>;
  },
): Promise<void> {
  const stretches = JSON.stringify(fee.stretches.map((each) => ({ ...each, minor: String(each.minor) })));
  await sql`insert into late_fee (id, bill_id, organization_id, period, currency, amount_minor, stretches, step_day, one_off_id, made_at)
    values (${fee.id}, ${fee.billId}, ${fee.organizationId}, ${fee.period}, ${fee.currency}, ${fee.minor}, ${stretches}::jsonb, ${fee.stepDay}, ${fee.oneOffId}, ${ctx.now})`.execute(
    ctx.db,
  );
}

/** Whether a bill has a charge for a period. */
export async function hasFee(ctx: Ctx, billId: string, period: string): Promise<boolean> {
  const { rows } = await sql`select 1 from late_fee where bill_id = ${billId} and period = ${period}`.execute(
    ctx.db,
  );
  return rows.length > 0;
}

export type FeeRow = {
  readonly id: Id<'lfe'>;
  readonly billId: Id<'bil'>;
  readonly organizationId: Id<'org'>;
  readonly currency: Currency;
  readonly minor: bigint;
  readonly stretches: readonly Stretch[];
  readonly stepDay: number | null;
  readonly oneOffId: Id<'ooc'>;
  readonly madeAt: Date;
  readonly oneOffState: 'approved' | 'billed' | 'withdrawn';
  readonly onBillId: Id<'bil'> | null;
  readonly onBillNumber: string | null;
  readonly creditNoteId: Id<'crn'> | null;
  readonly waiveReason: string;
};
type StoredFee = Omit<FeeRow, 'stretches'> & {
  stretches: { from: LocalDay; until: LocalDay; days: number; minor: string }[];
};
const columns = sql<StoredFee>`f.id, f.bill_id as "billId", f.organization_id as "organizationId", f.currency, f.amount_minor as minor, f.stretches, f.step_day as "stepDay", f.one_off_id as "oneOffId", f.made_at as "madeAt",
  c.state as "oneOffState", c.bill_id as "onBillId", c.bill_number as "onBillNumber", f.credit_note_id as "creditNoteId",
  case when f.waive_reason <> '' then f.waive_reason else coalesce((select s.reason from one_off_step s where s.one_off_id = c.id and s.step = 'withdrawn'), '') end as "waiveReason"`;
const tables = sql`late_fee f join one_off_charge c on c.id = f.one_off_id`;
const toFee = ({ stretches, ...row }: StoredFee): FeeRow => ({
  ...row,
  stretches: stretches.map((each) => ({ ...each, minor: BigInt(each.minor) })),
});

/** Returns the charges of a bill, newest first. */
export async function feesOf(ctx: Ctx, billId: string): Promise<FeeRow[]> {
  const { rows } =
    await sql<StoredFee>`select ${columns} from ${tables} where f.bill_id = ${billId} order by f.made_at desc, f.id desc`.execute(
      ctx.db,
    );
  return rows.map(toFee);
}

/** Returns one charge, locked, so that it is waived only once. */
export async function lockFee(ctx: Ctx, id: string): Promise<FeeRow | undefined> {
  // Read after it is locked: what is joined would be from before another waiver for which this has waited.
  await sql`select 1 from late_fee where id = ${id} for update`.execute(ctx.db);
  const { rows } = await sql<StoredFee>`select ${columns} from ${tables} where f.id = ${id}`.execute(ctx.db);
  return rows[0] && toFee(rows[0]);
}

export async function storeWaiver(
  ctx: Ctx,
  id: string,
  creditNoteId: Id<'crn'> | null,
  reason: string,
): Promise<void> {
  await sql`update late_fee set credit_note_id = ${creditNoteId}, waive_reason = ${reason} where id = ${id}`.execute(
    ctx.db,
  );
}

/** Returns the unbilled one-off charges of void bills' late fees. */
export async function pendingOf(ctx: Ctx, billIds: readonly string[]): Promise<Id<'ooc'>[]> {
  const { rows } = await sql<{
    id: Id<'ooc'>;
  }>`select c.id from ${tables} join bill b on b.id = f.bill_id where f.bill_id = any(${[...billIds]}::text[]) and b.state = 'void' and c.state = 'approved' order by c.id`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}
