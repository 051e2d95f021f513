// SQL of bills and lines, read and written in bulk.
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import { decimalText, trimDecimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { money, moneyText, type Currency } from '#kernel/money.ts';
import type { BillingMonth, Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowsCounted,
  searchTotalCap,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import type { ChargeName } from '#features/selling/subscriptions/contract.ts';
import {
  BillTax,
  LineTerm,
  userOf,
  type Bill,
  type BillDetail,
  type billing,
  type BillLine,
  type LineExplanation,
  type LineStep,
} from '../contract.ts';
import type { PlannedBillLine } from '../rules-late.ts';
import { pricedBy } from '../rules-priced-by.ts';
import { paymentStatus, type AppliedTerms, type DeferredPart } from '../rules.ts';
import { newestLayout } from './document-layout.ts';
import { insertParts } from './store-deferral.ts';
import { noteDue } from './store-due-history.ts';
import { instalmentColumn, toInstalment, type StoredInstalment } from './store-instalments.ts';
import { storeLetterheads } from './store-letterheads.ts';

export type BillRow = {
  id: Id<'bil'>;
  kind: Bill['kind'];
  number: string;
  organization_id: Id<'org'>;
  organization: string;
  used_by_id: Id<'org'> | null;
  used_by_name: string | null;
  by_subscription: boolean;
  month: BillingMonth;
  currency: Currency;
  state: Bill['state'];
  issued_at: Date;
  due_at: Date;
  paid_at: Date | null;
  net_minor: bigint;
  tax_rate: string;
  tax_minor: bigint;
  taxes: z.input<typeof BillTax>[] | null;
  total_minor: bigint;
  paid_minor: bigint;
  credited_minor: bigint;
  returned_minor: bigint;
  buyer: BillDetail['buyer'];
  is_processing: boolean;
  instalment: StoredInstalment | null;
  consolidated_id: Id<'cbl'> | null;
};
export const columnsAt = (now: Date) =>
  sql<BillRow>`b.id, b.kind, b.number, b.organization_id, o.name as organization, b.used_by_id, b.used_by_name, b.by_subscription, b.month, b.currency, b.state, b.issued_at, b.due_at, b.paid_at, b.net_minor, b.tax_rate, b.tax_minor, b.taxes, b.total_minor, b.paid_minor, b.credited_minor, b.returned_minor, b.buyer, b.is_processing, ${instalmentColumn(now)} as instalment, (select x.consolidated_id from consolidated_bill_part x where x.bill_id = b.id) as consolidated_id`;
export const billTables = sql`bill b join organization o on o.id = b.organization_id`;

export function toBill(row: BillRow, now: Date): Bill {
  const amount = (minor: bigint) => money(minor, row.currency);
  return {
    id: row.id,
    kind: row.kind,
    number: row.number,
    organizationId: row.organization_id,
    organization: row.organization,
    ...(row.used_by_id !== null &&
      row.used_by_name !== null && {
        usedBy: { organizationId: row.used_by_id, organization: row.used_by_name },
      }),
    ...(row.by_subscription && { bySubscription: true as const }),
    ...(row.consolidated_id !== null && { consolidatedId: row.consolidated_id }),
    month: row.month,
    state: row.state,
    paymentStatus: paymentStatus(
      {
        state: row.state,
        paidMinor: row.paid_minor,
        dueAt: row.due_at,
        isProcessing: row.is_processing,
        isMissed: row.instalment?.isMissed,
      },
      now,
    ),
    issuedAt: row.issued_at,
    dueAt: row.due_at,
    paidAt: row.paid_at,
    paid: amount(row.paid_minor),
    credited: amount(row.credited_minor),
    returned: amount(row.returned_minor),
    due: amount(row.state === 'open' ? row.total_minor - row.paid_minor - row.credited_minor : 0n),
    ...(row.instalment && { instalment: toInstalment(row.instalment, row.currency) }),
    currency: row.currency,
    net: amount(row.net_minor),
    taxRate: trimDecimal(row.tax_rate),
    tax: amount(row.tax_minor),
    ...(row.taxes !== null && { taxes: row.taxes.map((tax) => z.decode(BillTax, tax)) }),
    total: amount(row.total_minor),
  };
}

/**
 * The condition for the bills in a list or file, optionally of one organization. It refers to `bill b` and
 * `organization o`.
 */
export function billFilter(
  organizationId: string | null,
  { q, state, month }: Pick<In<typeof billing.listBills>, 'q' | 'state' | 'month'>,
): ReturnType<typeof allOf> {
  const pattern = q ? containsPattern(q) : undefined;
  return allOf(
    organizationId && sql`b.organization_id = ${organizationId}`,
    state && sql`b.state = ${sql.lit(state)}`,
    month && sql`b.month = ${month}`,
    pattern && sql`(b.number ilike ${pattern} or o.name ilike ${pattern} or b.used_by_name ilike ${pattern})`,
  );
}

export const billOrder: ListOrder = {
  by: {
    issuedAt: { expression: sql`b.issued_at`, cast: 'timestamptz' },
    month: { expression: sql`b.month`, cast: 'text' },
    number: { expression: sql`b.number`, cast: 'text' },
    total: { expression: sql`b.total_minor`, cast: 'bigint' },
  },
  usual: '-issuedAt',
  id: sql`b.id`,
};

/** Returns one page of an organization's bills (null: of all) with the exact total. */
export function pageOfBills(
  ctx: Ctx,
  organizationId: string | null,
  input: Omit<In<typeof billing.adminListBills>, 'organizationId'>,
): Promise<Page<Bill>> {
  const list = {
    columns: columnsAt(ctx.now),
    from: billTables,
    where: billFilter(organizationId, input),
    order: billOrder,
    counter: input.q || input.month || organizationId ? undefined : rowsCounted('bill', input.state),
    cap: searchTotalCap,
  };
  return readPage(ctx.db, input, list, (row) => toBill(row, ctx.now));
}

/**
 * Returns one bill with its buyer; if an organization is given, another organization's bill is treated as not
 * found.
 */
export async function billById(
  ctx: Ctx,
  billId: string,
  organizationId: string | null,
  lock = false,
): Promise<(Bill & { buyer: BillRow['buyer'] }) | undefined> {
  const { rows } =
    await sql<BillRow>`select ${columnsAt(ctx.now)} from ${billTables} where b.id = ${billId} and (${organizationId}::text is null or b.organization_id = ${organizationId}) ${lock ? sql`for update of b` : sql``}`.execute(
      ctx.db,
    );
  return rows[0] && { ...toBill(rows[0], ctx.now), buyer: rows[0].buyer };
}

export type LineRow = {
  position: number;
  kind: BillLine['kind'];
  subscription_id: Id<'sub'> | null;
  service_name: string;
  price_version_id: Id<'prv'> | null;
  quantity: string;
  unit: string;
  unit_price: string | null;
  exact_amount: string;
  amount_minor: bigint;
  arithmetic: LineExplanation['steps'];
  for_month: BillingMonth | null;
  charge: ChargeName | null;
  term: z.input<typeof LineTerm> | null;
};
export type StoredLine = BillLine & {
  readonly priceVersionId: Id<'prv'> | null;
  readonly steps: LineExplanation['steps'];
};

/**
 * Derives from the steps of a line the share of its period that a fee covers, and what a price without a unit
 * price depends on.
 */
export function toldBySteps(
  line: Pick<BillLine, 'kind' | 'unitPrice'>,
  steps: readonly LineStep[],
): Pick<BillLine, 'share' | 'pricedBy'> {
  const by = pricedBy(line, steps);
  return { ...(steps[0]?.share && { share: steps[0].share }), ...(by && { pricedBy: by }) };
}

const lineColumns = sql`l.position, l.kind, l.subscription_id, l.service_name, l.price_version_id, l.quantity, l.unit, l.unit_price, l.exact_amount, l.amount_minor, l.arithmetic, l.for_month, l.charge, l.term`;

/** Converts a stored line of a bill or a retail bill. */
export const toLine = (row: LineRow, currency: Currency): StoredLine => ({
  id: String(row.position),
  kind: row.kind,
  subscriptionId: row.subscription_id,
  serviceName: row.service_name,
  priceVersionId: row.price_version_id,
  quantity: trimDecimal(row.quantity),
  unit: row.unit,
  unitPrice: row.unit_price === null ? null : trimDecimal(row.unit_price),
  exact: trimDecimal(row.exact_amount),
  total: money(row.amount_minor, currency),
  ...toldBySteps({ kind: row.kind, unitPrice: row.unit_price }, row.arithmetic),
  ...(row.for_month !== null && { forMonth: row.for_month }),
  ...(row.charge !== null && { charge: row.charge }),
  ...(row.term !== null && { term: z.decode(LineTerm, row.term) }),
  steps: row.arithmetic,
});

/** Returns an organization's non-void bills for the months of a year, at most `limit`, by number. */
export async function validBillsOfYear(
  ctx: Ctx,
  organizationId: string,
  year: string,
  limit: number,
): Promise<Id<'bil'>[]> {
  const { rows } = await sql<{
    id: Id<'bil'>;
  }>`select id from bill where organization_id = ${organizationId} and month between ${`${year}-01`} and ${`${year}-12`} and state <> 'void' order by number limit ${limit}`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

/** Returns the lines of a bill, in order. */
export async function linesOfBill(ctx: Ctx, billId: string, currency: Currency): Promise<StoredLine[]> {
  const { rows } =
    await sql<LineRow>`select ${lineColumns} from bill_line l where l.bill_id = ${billId} order by l.position`.execute(
      ctx.db,
    );
  return rows.map((row) => toLine(row, currency));
}

/** Returns what a subscription was charged on issued bills in force, latest month first. */
export async function chargedLines(
  ctx: Ctx,
  subscriptionId: string,
  limit: number,
): Promise<{ billId: Id<'bil'>; billNumber: string; month: BillingMonth; line: StoredLine }[]> {
  const { rows } = await sql<
    LineRow & { bill_id: Id<'bil'>; number: string; month: BillingMonth; currency: Currency }
  >`select ${lineColumns}, l.bill_id, b.number, b.month, b.currency from bill_line l join bill b on b.id = l.bill_id
    where l.subscription_id = ${subscriptionId} and b.state <> 'void' order by b.month desc, l.bill_id, l.position limit ${limit}`.execute(
    ctx.db,
  );
  return rows.map((row) => ({
    billId: row.bill_id,
    billNumber: row.number,
    month: row.month,
    line: toLine(row, row.currency),
  }));
}

/**
 * Locks the series of a month until the end of the unit of work, creating it if needed, and returns its last
 * number.
 */
export async function lockSeries(ctx: Ctx, series: string): Promise<number> {
  await sql`insert into bill_series (series, last_number) values (${series}, 0) on conflict do nothing`.execute(
    ctx.db,
  );
  const { rows } = await sql<{
    last_number: number;
  }>`select last_number from bill_series where series = ${series} for update`.execute(ctx.db);
  return rows[0]?.last_number ?? 0;
}

export type NewBill = {
  id: Id<'bil'>;
  kind: Bill['kind'];
  /** The payer. */
  organizationId: Id<'org'>;
  /** The organization that used the services, if different. */
  usedBy: Bill['usedBy'];
  /**
   * Whether it charges single subscriptions of its payer, without the terms of the organization that used
   * them.
   */
  bySubscription: boolean;
  month: BillingMonth;
  currency: Currency;
  series: string;
  sequence: number;
  number: string;
  timeZone: string;
  periodStart: Date;
  periodEnd: Date;
  dueAt: Date;
  netMinor: bigint;
  taxRate: string;
  taxMinor: bigint;
  /** The tax by category, if there is more than one way of taxing. */
  taxes: BillTax[] | null;
  totalMinor: bigint;
  /** What discounts and promotional credit deducted; both are included in the net amount. */
  discountMinor: bigint;
  promotionalMinor: bigint;
  /** The true-ups of commitments at the end of their periods. */
  trueUpMinor: bigint;
  buyer: object;
  contentHash: string;
  lines: readonly PlannedBillLine[];
  /** The parts of the lines for later months. */
  deferred: readonly DeferredPart[];
  applied: AppliedTerms;
};

/**
 * Stores bills with their lines in three statements, however many there are; parts for later months need a
 * fourth. A bill without an amount is paid on issue. JSON is sent as one list: as elements of a text array,
 * every quote would be escaped here and unescaped there.
 */
export async function insertBills(
  ctx: Ctx,
  series: string,
  lastNumber: number,
  bills: readonly NewBill[],
): Promise<void> {
  const of = <T>(pick: (bill: NewBill) => T): T[] => bills.map(pick);
  const letterheads = await storeLetterheads(ctx, new Set(of((bill) => bill.timeZone)));
  await sql`update bill_series set last_number = ${lastNumber} where series = ${series}`.execute(ctx.db);
  await sql`insert into bill (id, organization_id, month, currency, series, sequence, number, state, period_start, period_end, issued_at, due_at, net_minor, tax_rate, tax_minor, total_minor, paid_minor, paid_at, buyer, content_hash, letterhead_id, line_count, document_layout, kind, discount_minor, promotional_minor, true_up_minor, taxes, used_by_id, used_by_name, by_subscription)
    select id, organization_id, month, currency, ${series}, sequence, number, case when total_minor <= 0 then 'paid' else 'open' end, period_start, period_end, ${ctx.now}, due_at, net_minor, tax_rate, tax_minor, total_minor,
      case when total_minor <= 0 then total_minor else 0 end, case when total_minor <= 0 then ${ctx.now}::timestamptz end, buyer, content_hash, letterhead_id, line_count, ${newestLayout}, kind, discount_minor, promotional_minor, true_up_minor, nullif(taxes, 'null'), used_by_id, used_by_name, by_subscription
    from rows from (unnest(${of((bill) => bill.id)}::text[], ${of((bill) => bill.organizationId)}::text[], ${of((bill) => bill.month)}::text[], ${of((bill) => bill.currency)}::text[], ${of((bill) => bill.sequence)}::int[], ${of((bill) => bill.number)}::text[],
      ${of((bill) => bill.periodStart)}::timestamptz[], ${of((bill) => bill.periodEnd)}::timestamptz[], ${of((bill) => bill.dueAt)}::timestamptz[], ${of((bill) => bill.netMinor)}::bigint[], ${of((bill) => bill.taxRate)}::numeric[], ${of((bill) => bill.taxMinor)}::bigint[],
      ${of((bill) => bill.totalMinor)}::bigint[], ${of((bill) => bill.contentHash)}::text[], ${of((bill) => letterheads.get(bill.timeZone) ?? null)}::text[], ${of((bill) => bill.lines.length)}::int[],
      ${of((bill) => bill.kind)}::text[], ${of((bill) => bill.discountMinor)}::bigint[], ${of((bill) => bill.promotionalMinor)}::bigint[], ${of((bill) => bill.trueUpMinor)}::bigint[], ${of((bill) => bill.usedBy?.organizationId ?? null)}::text[], ${of((bill) => bill.usedBy?.organization ?? null)}::text[], ${of((bill) => bill.bySubscription)}::boolean[]), jsonb_array_elements(${JSON.stringify(of((bill) => bill.buyer))}::jsonb), jsonb_array_elements(${JSON.stringify(of((bill) => bill.taxes && bill.taxes.map((tax) => z.encode(BillTax, tax))))}::jsonb))
      as b (id, organization_id, month, currency, sequence, number, period_start, period_end, due_at, net_minor, tax_rate, tax_minor, total_minor, content_hash, letterhead_id, line_count, kind, discount_minor, promotional_minor, true_up_minor, used_by_id, used_by_name, by_subscription, buyer, taxes)`.execute(
    ctx.db,
  );
  const lines = bills.flatMap((bill) =>
    bill.lines.map((line, index) => ({ billId: bill.id, position: index + 1, line })),
  );
  const each = <T>(pick: (entry: (typeof lines)[number]) => T): T[] => lines.map(pick);
  await sql`insert into bill_line (bill_id, position, kind, subscription_id, service_id, service_name, price_version_id, quantity, unit, unit_price, exact_amount, amount_minor, arithmetic, for_month, charge, term)
    select bill_id, position, kind, subscription_id, service_id, service_name, price_version_id, quantity, unit, unit_price, exact_amount, amount_minor, arithmetic, for_month, nullif(charge, 'null'), nullif(term, 'null')
    from rows from (unnest(${each((e) => e.billId)}::text[], ${each((e) => e.position)}::int[], ${each((e) => e.line.kind)}::text[], ${each((e) => e.line.subscriptionId)}::text[], ${each((e) => e.line.serviceId)}::text[], ${each((e) => e.line.serviceName)}::text[],
      ${each((e) => e.line.priceVersionId)}::text[], ${each((e) => e.line.quantity)}::numeric[], ${each((e) => e.line.unit)}::text[], ${each((e) => e.line.unitPrice ?? null)}::numeric[], ${each((e) => decimalText(e.line.exact))}::numeric[], ${each((e) => e.line.amount.minor)}::bigint[], ${each((e) => e.line.forMonth ?? null)}::bpchar[]), jsonb_array_elements(${JSON.stringify(each((e) => e.line.charge ?? null))}::jsonb), jsonb_array_elements(${JSON.stringify(each((e) => (e.line.term ? z.encode(LineTerm, e.line.term) : null)))}::jsonb), jsonb_array_elements(${JSON.stringify(each((e) => e.line.steps))}::jsonb))
      as l (bill_id, position, kind, subscription_id, service_id, service_name, price_version_id, quantity, unit, unit_price, exact_amount, amount_minor, for_month, charge, term, arithmetic)`.execute(
    ctx.db,
  );
  await insertParts(
    ctx,
    // Deferred revenue is owed to the organization that uses the service.
    bills.map((bill) => ({
      billId: bill.id,
      organizationId: userOf(bill),
      currency: bill.currency,
      source: '',
      parts: bill.deferred,
    })),
  );
}

/**
 * Adds to the paid amount of a bill, which becomes paid when nothing is due any more. The caller holds its
 * lock.
 */
export async function addPaid(ctx: Ctx, billId: string, minor: bigint): Promise<Bill['state']> {
  const { rows } = await sql<{
    state: Bill['state'];
  }>`update bill set paid_minor = paid_minor + ${minor}, state = case when paid_minor + ${minor} + credited_minor = total_minor then 'paid' else state end,
    paid_at = case when paid_minor + ${minor} + credited_minor = total_minor then ${ctx.now}::timestamptz end where id = ${billId} and state = 'open' returning state`.execute(
    ctx.db,
  );
  if (!rows[0]) throw new Error('the bill was not open');
  return rows[0].state;
}

/** Records whether a payment of a bill is in transit from its payer's bank. */
export async function storeProcessing(ctx: Ctx, billId: string, isProcessing: boolean): Promise<void> {
  await sql`update bill set is_processing = ${isProcessing} where id = ${billId} and is_processing <> ${isProcessing}`.execute(
    ctx.db,
  );
}

/**
 * Reduces the paid amount of a bill because its payment was reversed, and reopens it with that amount due: at
 * most `minor`, and nothing that a credit note already returned; a void bill owes nothing. Returns the
 * amount. The caller holds its lock.
 */
export async function takePaidBack(ctx: Ctx, billId: string, minor: bigint): Promise<bigint> {
  const { rows } = await sql<{
    minor: bigint;
  }>`with taken as (select id, least(${minor}::bigint, paid_minor - returned_minor) as minor from bill where id = ${billId} and state <> 'void')
    update bill b set paid_minor = b.paid_minor - taken.minor, state = 'open', paid_at = null from taken where b.id = taken.id and taken.minor > 0 returning taken.minor`.execute(
    ctx.db,
  );
  if (rows[0]) await noteDue(ctx, [billId]);
  return rows[0]?.minor ?? 0n;
}

export type BilledTotals = {
  exact: string;
  net: string;
  tax: string;
  total: string;
  bills: number;
  lines: number;
};

/**
 * Returns the amounts billed for some subscriptions in a month, by currency, in major units. Tax and total
 * are those of the whole bills they are on.
 */
export async function billedTotals(
  ctx: Ctx,
  month: BillingMonth,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<Currency, BilledTotals>> {
  const { rows } = await sql<{
    currency: Currency;
    exact: string;
    net: string;
    tax: string;
    total: string;
    bills: bigint;
    lines: bigint;
  }>`
    with line as (select b.id, b.currency, b.tax_minor, b.total_minor, l.exact_amount, l.amount_minor from bill b join bill_line l on l.bill_id = b.id
        where b.month = ${month} and b.state <> 'void' and l.kind <> 'adjustment' and l.term is null and l.subscription_id = any(${[...subscriptionIds]}::text[])),
      whole as (select distinct id, currency, tax_minor, total_minor from line)
    select currency, sum(exact_amount) as exact, sum(amount_minor) as net, count(*) as lines,
      (select sum(tax_minor) from whole w where w.currency = line.currency) as tax, (select sum(total_minor) from whole w where w.currency = line.currency) as total,
      (select count(*) from whole w where w.currency = line.currency) as bills
    from line group by currency`.execute(ctx.db);
  return new Map(
    rows.map((row) => [
      row.currency,
      {
        exact: trimDecimal(row.exact),
        net: moneyText(money(BigInt(row.net), row.currency)),
        tax: moneyText(money(BigInt(row.tax), row.currency)),
        total: moneyText(money(BigInt(row.total), row.currency)),
        bills: Number(row.bills),
        lines: Number(row.lines),
      },
    ]),
  );
}
