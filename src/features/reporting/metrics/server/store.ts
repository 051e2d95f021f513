// SQL of metrics for reading: totals by month, the customers behind them, and the lines behind a customer.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { BillingMonth, Page } from '#kernel/shape.ts';
import { monthNumber } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  readPage,
  type ListOrder,
  type SearchInput,
} from '#platform/server/database/paging.ts';
import { usedBy } from '#features/invoicing/billing/server/index.ts';
import type {
  CustomerMovement,
  CustomerRevenue,
  MovementKind,
  Proof,
  RevenueLine,
  RevenuePart,
} from '../contract.ts';
import { percentText } from '../rules.ts';
import { changes, revenueRows } from './store-refresh.ts';

/** The currencies of all bills. */
export async function billedCurrencies(ctx: Ctx): Promise<Currency[]> {
  const { rows } = await sql<{
    currency: Currency;
  }>`select currency from metric_proof union select currency from ledger_account where kind = 'receivable' order by 1`.execute(
    ctx.db,
  );
  return rows.map(({ currency }) => currency);
}

/** Returns the last closed month before `running`; null before the first. */
export async function lastClosed(ctx: Ctx, running: BillingMonth): Promise<BillingMonth | null> {
  const { rows } = await sql<{
    month: BillingMonth | null;
  }>`select max(month) as month from close_run where kind = 'close' and state = 'done' and month < ${running}`.execute(
    ctx.db,
  );
  return rows[0]?.month ?? null;
}

export type MonthRow = {
  readonly no: number;
  readonly customers: number;
  readonly recurring: bigint;
  readonly usage: bigint;
  readonly once: bigint;
};
/** Returns the totals of months from `from` to `to`, inclusive; months without any are omitted. */
export async function monthRows(
  ctx: Ctx,
  currency: Currency,
  from: number,
  to: number,
): Promise<ReadonlyMap<number, MonthRow>> {
  const { rows } = await sql<{
    no: number;
    customers: number;
    recurring: string;
    usage: string;
    once: string;
  }>`select month_no as no, customers, recurring_minor as recurring, usage_minor as usage, once_minor as once from metric_month where currency = ${currency} and month_no between ${from} and ${to}`.execute(
    ctx.db,
  );
  return new Map(
    rows.map((row) => [
      row.no,
      { ...row, recurring: BigInt(row.recurring), usage: BigInt(row.usage), once: BigInt(row.once) },
    ]),
  );
}

export type MovementRow = {
  readonly no: number;
  readonly kind: MovementKind;
  readonly customers: number;
  readonly minor: bigint;
};
export async function movementRows(
  ctx: Ctx,
  currency: Currency,
  from: number,
  to: number,
): Promise<MovementRow[]> {
  const { rows } = await sql<{
    no: number;
    kind: MovementKind;
    customers: number;
    minor: string;
  }>`select month_no as no, kind, customers, minor from metric_movement where currency = ${currency} and month_no between ${from} and ${to}`.execute(
    ctx.db,
  );
  return rows.map((row) => ({ ...row, minor: BigInt(row.minor) }));
}

/** Returns what customers paid in the month a year earlier, and what the same customers pay in this month. */
export async function yearKept(
  ctx: Ctx,
  currency: Currency,
  no: number,
): Promise<{ before: bigint; kept: bigint }> {
  const { rows } = await sql<{ before: string; kept: string }>`
    select coalesce(sum(p.recurring_minor), 0) as before, coalesce(sum(n.recurring_minor), 0) as kept from metric_revenue p
      left join metric_revenue n on n.currency = p.currency and n.organization_id = p.organization_id and n.month_no = ${no}
    where p.currency = ${currency} and p.month_no = ${no - 12} and p.recurring_minor > 0`.execute(ctx.db);
  return { before: BigInt(rows[0]?.before ?? 0), kept: BigInt(rows[0]?.kept ?? 0) };
}

/** Returns the last comparison of all months with the ledger; null before the first bill. */
export async function proofOf(ctx: Ctx, currency: Currency): Promise<Proof | null> {
  const { rows } = await sql<{
    months: string;
    ledger: string;
  }>`select months_minor as months, ledger_minor as ledger from metric_proof where currency = ${currency}`.execute(
    ctx.db,
  );
  return rows[0] ? proof(BigInt(rows[0].months), BigInt(rows[0].ledger), currency) : null;
}
export const proof = (here: bigint, ledger: bigint, currency: Currency): Proof => ({
  here: money(here, currency),
  ledger: money(ledger, currency),
  isEqual: here === ledger,
});

type ChangeRow = {
  id: Id<'org'>;
  organization: string;
  kind: MovementKind;
  before: string;
  now: string;
};
const changeOrder: ListOrder = {
  by: {
    change: { expression: sql`abs(c.now - c.before)`, cast: 'numeric' },
    now: { expression: sql`c.now`, cast: 'numeric' },
    organization: { expression: sql`o.name`, cast: 'text' },
  },
  usual: '-change',
  id: sql`o.id`,
};
const ofMonth = (currency: Currency, no: number): RawBuilder<unknown> =>
  sql`(select * from metric_revenue where currency = ${currency} and month_no = ${no} and recurring_minor <> 0)`;
/** Customers `c`, with their organizations `o`, whose recurring revenue changed in a month. */
export const changedCustomers = (currency: Currency, month: BillingMonth): RawBuilder<unknown> =>
  sql`(select * from (${changes(ofMonth(currency, monthNumber(month)), ofMonth(currency, monthNumber(month) - 1))}) x where kind is not null) c join organization o on o.id = c.organization_id`;

const toChange =
  (currency: Currency) =>
  (row: ChangeRow): CustomerMovement => ({
    organizationId: row.id,
    organization: row.organization,
    kind: row.kind,
    before: money(BigInt(row.before), currency),
    now: money(BigInt(row.now), currency),
    change: money(BigInt(row.now) - BigInt(row.before), currency),
  });

/** Returns one page of the customers whose recurring revenue changed in a month, largest change first. */
export function pageOfChanges(
  ctx: Ctx,
  currency: Currency,
  month: BillingMonth,
  input: SearchInput & { kind?: MovementKind | undefined },
): Promise<Page<CustomerMovement>> {
  const { q, kind } = input;
  const list = {
    columns: sql<ChangeRow>`o.id, o.name as organization, c.kind, c.before, c.now`,
    from: changedCustomers(currency, month),
    where: allOf(kind && sql`c.kind = ${kind}`, q && sql`o.name ilike ${containsPattern(q)}`),
    order: changeOrder,
  };
  return readPage(ctx.db, input, list, toChange(currency));
}

type RevenueRow = {
  id: Id<'org'>;
  organization: string;
  recurring: bigint;
  usage: bigint;
  once: bigint;
};
const total = sql`(r.recurring_minor + r.usage_minor + r.once_minor)`;
const revenueOrder: ListOrder = {
  by: {
    total: { expression: total, cast: 'bigint' },
    recurring: { expression: sql`r.recurring_minor`, cast: 'bigint' },
    usage: { expression: sql`r.usage_minor`, cast: 'bigint' },
    organization: { expression: sql`o.name`, cast: 'text' },
  },
  usual: '-total',
  id: sql`o.id`,
};

/**
 * Returns one page of what customers were charged for a month, largest first. `whole` is the month's whole
 * revenue.
 */
export function pageOfRevenue(
  ctx: Ctx,
  currency: Currency,
  month: BillingMonth,
  whole: bigint,
  input: SearchInput,
): Promise<Page<CustomerRevenue>> {
  const list = {
    columns: sql<RevenueRow>`o.id, o.name as organization, r.recurring_minor as recurring, r.usage_minor as usage, r.once_minor as once`,
    from: sql`metric_revenue r join organization o on o.id = r.organization_id`,
    where: allOf(
      sql`r.currency = ${currency} and r.month_no = ${monthNumber(month)}`,
      input.q && sql`o.name ilike ${containsPattern(input.q)}`,
    ),
    order: revenueOrder,
  };
  return readPage(ctx.db, input, list, ({ id, organization, ...row }) => {
    const sum = row.recurring + row.usage + row.once;
    return {
      organizationId: id,
      organization,
      recurring: money(row.recurring, currency),
      usage: money(row.usage, currency),
      once: money(row.once, currency),
      total: money(sum, currency),
      share: percentText(sum, whole),
    };
  });
}

/** Returns the total charged to the n largest customers of a month, for each given n. */
export async function revenueOfBiggest(
  ctx: Ctx,
  currency: Currency,
  month: BillingMonth,
  numbers: readonly number[],
): Promise<bigint[]> {
  const { rows } = await sql<{
    minor: bigint;
  }>`select ${total} as minor from metric_revenue r where r.currency = ${currency} and r.month_no = ${monthNumber(month)} order by 1 desc limit ${Math.max(...numbers)}`.execute(
    ctx.db,
  );
  return numbers.map((number) => rows.slice(0, number).reduce((sum, { minor }) => sum + minor, 0n));
}

/** Returns the lines of a customer's revenue in a month: those of `revenueRows`, summed by line. */
export async function linesOf(
  ctx: Ctx,
  currency: Currency,
  month: BillingMonth,
  organizationId: Id<'org'>,
): Promise<RevenueLine[]> {
  const { rows } = await sql<{
    bill_id: Id<'bil'>;
    number: string;
    bill_month: BillingMonth;
    position: number;
    kind: RevenueLine['kind'];
    service_name: string;
    part: RevenuePart;
    minor: string;
  }>`select bill_id, number, bill_month, position, kind, service_name, part, sum(minor) as minor
    from (${revenueRows([month], sql`${usedBy('b')} = ${organizationId} and b.currency = ${currency}`)}) r where month = ${month}
    group by 1, 2, 3, 4, 5, 6, 7 having sum(minor) <> 0 order by bill_month, number, position`.execute(
    ctx.db,
  );
  return rows.map((row) => ({
    billId: row.bill_id,
    billNumber: row.number,
    billMonth: row.bill_month,
    position: row.position,
    kind: row.kind,
    serviceName: row.service_name,
    part: row.part,
    amount: money(BigInt(row.minor), currency),
  }));
}

export type CohortRow = {
  readonly first: number;
  readonly no: number;
  readonly customers: number;
  readonly minor: bigint;
};
/** Returns customers and recurring revenue by first month and month, for cohorts since `from`, until `to`. */
export async function cohortRows(
  ctx: Ctx,
  currency: Currency,
  from: number,
  to: number,
): Promise<CohortRow[]> {
  const { rows } = await sql<{
    first: number;
    no: number;
    customers: number;
    minor: string;
  }>`select first_no as first, month_no as no, customers, minor from metric_cohort where currency = ${currency} and first_no between ${from} and ${to} and month_no <= ${to} order by 1, 2`.execute(
    ctx.db,
  );
  return rows.map((row) => ({ ...row, minor: BigInt(row.minor) }));
}

/**
 * Counts customers with recurring revenue in any currency by month, and those who have none in the next
 * month.
 */
export async function customersOfAll(
  ctx: Ctx,
  from: number,
  to: number,
): Promise<ReadonlyMap<number, { readonly customers: number; readonly lost: number }>> {
  const { rows } = await sql<{ no: number; customers: number; lost: number }>`
    with paying as (select distinct month_no, organization_id from metric_revenue where month_no between ${from} and ${to} and recurring_minor > 0)
    select c.month_no as no, count(*)::int as customers, count(*) filter (where n.organization_id is null)::int as lost from paying c
      left join paying n on n.month_no = c.month_no + 1 and n.organization_id = c.organization_id group by 1`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ no, ...row }) => [no, row]));
}

/** Returns a customer's usage by month. */
export async function customerMonths(
  ctx: Ctx,
  currency: Currency,
  organizationId: Id<'org'>,
  from: number,
  to: number,
): Promise<ReadonlyMap<number, bigint>> {
  const { rows } = await sql<{
    no: number;
    minor: bigint;
  }>`select month_no as no, usage_minor as minor from metric_revenue where currency = ${currency} and organization_id = ${organizationId} and month_no between ${from} and ${to}`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ no, minor }) => [no, minor]));
}
