// SQL of consolidated bills.
import { sql } from 'kysely';
import { required } from '#kernel/assert.ts';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { money, sumMoney, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth, Page } from '#kernel/shape.ts';
import {
  allOf,
  containsPattern,
  readPage,
  searchTotalCap,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Bill, billing } from '../contract.ts';
import type { ConsolidatedBill, ConsolidatedBillDetail } from '../contract-consolidated.ts';
import { consolidatedStanding } from '../rules-consolidated.ts';
import { billTables, columnsAt, toBill, type BillRow } from './store.ts';
import { dueByNow } from './store-instalments.ts';

/**
 * Returns the organizations with bills of a month that should be on a consolidated bill but are on none yet.
 */
export async function waitingPayers(ctx: Ctx): Promise<{ organizationId: Id<'org'>; month: BillingMonth }[]> {
  const { rows } = await sql<{ organizationId: Id<'org'>; month: BillingMonth }>`
    select distinct b.organization_id as "organizationId", b.month from payer_billing p join bill b on b.organization_id = p.organization_id and b.month >= p.from_month
    where p.is_consolidated and b.kind = 'month' and b.state <> 'void' and not exists (select from consolidated_bill_part x where x.bill_id = b.id)
      and not exists (select from payer_billing l where l.organization_id = p.organization_id and l.from_month > p.from_month and l.from_month <= b.month)
    order by 2, 1`.execute(ctx.db);
  return rows;
}

export type WaitingBill = {
  readonly id: Id<'bil'>;
  readonly currency: Currency;
  readonly totalMinor: bigint;
  readonly issuedAt: Date;
  readonly dueAt: Date;
};
/**
 * Returns an organization's bills of a month that are on no consolidated bill, locked: its own first, then
 * others' by name.
 */
export async function lockWaitingBills(
  ctx: Ctx,
  organizationId: string,
  month: BillingMonth,
): Promise<WaitingBill[]> {
  const { rows } = await sql<WaitingBill>`
    select b.id, b.currency, b.total_minor as "totalMinor", b.issued_at as "issuedAt", b.due_at as "dueAt" from bill b
    where b.organization_id = ${organizationId} and b.month = ${month} and b.kind = 'month' and b.state <> 'void' and not exists (select from consolidated_bill_part x where x.bill_id = b.id)
    order by b.used_by_name nulls first, b.number for no key update of b`.execute(ctx.db);
  return rows;
}

/**
 * Whether a month is closed for all of some organizations; ones closed down in the meantime are not waited
 * for.
 */
export async function isClosedForAll(
  ctx: Ctx,
  organizationIds: readonly string[],
  month: BillingMonth,
): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    select exists (select from organization o where o.id = any(${[...organizationIds]}::text[]) and not exists (select from month_closed c where c.organization_id = o.id and c.month = ${month})) as open`.execute(
    ctx.db,
  );
  return rows[0]?.open === false;
}

/**
 * Returns the due date of bills of a month that organizations wait to consolidate, by organization: later
 * bills get the same due date.
 */
export async function dueTogether(
  ctx: Ctx,
  organizationIds: readonly string[],
  month: BillingMonth,
  since: Date,
): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await sql<{ id: string; dueAt: Date }>`
    select b.organization_id as id, max(b.due_at) as "dueAt" from bill b where b.organization_id = any(${[...organizationIds]}::text[]) and b.month = ${month} and b.kind = 'month' and b.issued_at > ${since}
      and not exists (select from consolidated_bill_part x where x.bill_id = b.id) group by 1`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ id, dueAt }) => [id, dueAt]));
}

/** Returns the next number of a series; its lock serializes concurrent callers. */
export async function nextInSeries(ctx: Ctx, series: string): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    insert into consolidated_series (series, last_number) values (${series}, 1) on conflict (series) do update set last_number = consolidated_series.last_number + 1 returning last_number as number`.execute(
    ctx.db,
  );
  return required(rows[0], 'the number that was just taken').number;
}

/** Stores a consolidated bill that lists bills in order. */
export async function insertConsolidated(
  ctx: Ctx,
  made: Pick<ConsolidatedBill, 'id' | 'organizationId' | 'month' | 'currency' | 'number' | 'dueAt'> & {
    readonly series: string;
    readonly sequence: number;
    readonly totalMinor: bigint;
    readonly billIds: readonly Id<'bil'>[];
  },
): Promise<void> {
  const { id, organizationId, month, currency, series, sequence, number, dueAt, totalMinor, billIds } = made;
  await sql`insert into consolidated_bill (id, organization_id, month, currency, supplement, series, sequence, number, issued_at, due_at, total_minor)
    select ${id}, ${organizationId}, ${month}, ${currency}, count(*), ${series}, ${sequence}, ${number}, ${ctx.now}, ${dueAt}, ${totalMinor} from consolidated_bill where organization_id = ${organizationId} and month = ${month} and currency = ${currency}`.execute(
    ctx.db,
  );
  await sql`insert into consolidated_bill_part (consolidated_id, bill_id, position) select ${id}, bill_id, position from unnest(${[...billIds]}::text[]) with ordinality as p (bill_id, position)`.execute(
    ctx.db,
  );
}

type Row = Pick<
  ConsolidatedBill,
  | 'id'
  | 'number'
  | 'organizationId'
  | 'organization'
  | 'month'
  | 'currency'
  | 'supplement'
  | 'issuedAt'
  | 'dueAt'
> & { bills: Parts };
type Parts = readonly {
  readonly state: Bill['state'];
  readonly status: Bill['paymentStatus'];
  readonly minor: Readonly<Record<'net' | 'tax' | 'total' | 'paid' | 'credited' | 'due' | 'now', string>>;
}[];
/** The status of each bill of a consolidated bill, as {@link toBill} derives it. */
const partsAt = (now: Date) => sql`(select jsonb_agg(jsonb_build_object('state', b.state,
    'status', case when b.state <> 'open' then b.state when b.is_processing then 'processing'
      when coalesce((select bool_or(i.due_on < (${now}::timestamptz at time zone o.time_zone)::date and least(i.until_minor, b.total_minor - b.credited_minor) > greatest(i.from_minor, b.paid_minor)) from bill_instalment i where i.bill_id = b.id), ${now} > b.due_at) then 'overdue'
      when b.paid_minor > 0 then 'partially_paid' else 'unpaid' end,
    'minor', jsonb_build_object('net', b.net_minor::text, 'tax', b.tax_minor::text, 'total', b.total_minor::text, 'paid', b.paid_minor::text, 'credited', b.credited_minor::text,
      'due', (case when b.state = 'open' then b.total_minor - b.paid_minor - b.credited_minor else 0 end)::text, 'now', (case when b.state = 'open' then ${dueByNow(now)} else 0 end)::text)) order by x.position)
  from consolidated_bill_part x join bill b on b.id = x.bill_id where x.consolidated_id = c.id)`;
const columnsOf = (now: Date) =>
  sql<Row>`c.id, c.number, c.organization_id as "organizationId", o.name as organization, c.month, c.currency, c.supplement, c.issued_at as "issuedAt", c.due_at as "dueAt", ${partsAt(now)} as bills`;
const tables = sql`consolidated_bill c join organization o on o.id = c.organization_id`;

function toConsolidated({ bills, ...row }: Row): ConsolidatedBill {
  const sum = (name: keyof Parts[number]['minor']): Money =>
    sumMoney(
      bills.map(({ minor }) => money(BigInt(minor[name]), row.currency)),
      row.currency,
    );
  return {
    id: row.id,
    number: row.number,
    organizationId: row.organizationId,
    organization: row.organization,
    month: row.month,
    currency: row.currency,
    supplement: row.supplement,
    issuedAt: row.issuedAt,
    dueAt: row.dueAt,
    sections: bills.length,
    net: sum('net'),
    tax: sum('tax'),
    total: sum('total'),
    paid: sum('paid'),
    credited: sum('credited'),
    due: sum('due'),
    dueNow: sum('now'),
    ...consolidatedStanding(bills.map(({ state, status }) => ({ state, paymentStatus: status }))),
  };
}

const order: ListOrder = {
  by: {
    issuedAt: { expression: sql`c.issued_at`, cast: 'timestamptz' },
    month: { expression: sql`c.month`, cast: 'text' },
    number: { expression: sql`c.number`, cast: 'text' },
    total: { expression: sql`c.total_minor`, cast: 'bigint' },
  },
  usual: '-issuedAt',
  id: sql`c.id`,
};

/** Returns one page of an organization's consolidated bills (null: of all) with the exact total. */
export function pageOfConsolidated(
  ctx: Ctx,
  organizationId: string | null,
  { q, month, ...input }: In<typeof billing.listConsolidatedBills>,
): Promise<Page<ConsolidatedBill>> {
  const pattern = q ? containsPattern(q) : undefined;
  const list = {
    columns: columnsOf(ctx.now),
    from: tables,
    where: allOf(
      organizationId && sql`c.organization_id = ${organizationId}`,
      month && sql`c.month = ${month}`,
      pattern &&
        sql`(c.number ilike ${pattern} or o.name ilike ${pattern} or exists (select from consolidated_bill_part x join bill b on b.id = x.bill_id where x.consolidated_id = c.id and (b.number ilike ${pattern} or b.used_by_name ilike ${pattern})))`,
    ),
    order,
    cap: searchTotalCap,
  };
  return readPage(ctx.db, input, list, toConsolidated);
}

/**
 * Returns one with its bills; if an organization is given, another organization's bill is treated as not
 * found.
 */
export async function consolidatedById(
  ctx: Ctx,
  id: string,
  organizationId: string | null,
): Promise<ConsolidatedBillDetail | undefined> {
  const { rows } =
    await sql<Row>`select ${columnsOf(ctx.now)} from ${tables} where c.id = ${id} and (${organizationId}::text is null or c.organization_id = ${organizationId})`.execute(
      ctx.db,
    );
  const [row] = rows;
  if (!row) return undefined;
  const found =
    await sql<BillRow>`select ${columnsAt(ctx.now)} from ${billTables} join consolidated_bill_part x on x.bill_id = b.id where x.consolidated_id = ${id} order by x.position`.execute(
      ctx.db,
    );
  return { ...toConsolidated(row), bills: found.rows.map((bill) => toBill(bill, ctx.now)) };
}

/** Returns the consolidated bills that list some bills, by bill, with the amount due of each by now. */
export async function consolidatedOfBills(
  ctx: Ctx,
  billIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<ConsolidatedBill, 'id' | 'number' | 'month' | 'due'>>> {
  const { rows } = await sql<{
    billId: string;
    id: Id<'cbl'>;
    number: string;
    month: BillingMonth;
    currency: Currency;
    minor: bigint;
  }>`select x.bill_id as "billId", c.id, c.number, c.month, c.currency,
      (select coalesce(sum(b.total_minor - b.paid_minor - b.credited_minor), 0)::bigint from consolidated_bill_part y join bill b on b.id = y.bill_id where y.consolidated_id = c.id and b.state = 'open') as minor
    from consolidated_bill_part x join consolidated_bill c on c.id = x.consolidated_id where x.bill_id = any(${[...billIds]}::text[])`.execute(
    ctx.db,
  );
  return new Map(
    rows.map(({ billId, currency, minor, ...row }) => [billId, { ...row, due: money(minor, currency) }]),
  );
}
