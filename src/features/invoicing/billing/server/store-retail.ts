// SQL of retail bills.
import { sql } from 'kysely';
import { decimalText, trimDecimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { BillingMonth, Page } from '#kernel/shape.ts';
import {
  allOf,
  containsPattern,
  readPage,
  searchTotalCap,
  type ListOrder,
  type PageInput,
} from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import type { ResellerTerms } from '#features/selling/resale/server/index.ts';
import type { RetailBill } from '../contract-retail.ts';
import type { BilledUsage } from '../rules-late.ts';
import type { BillPlan } from '../rules.ts';
import { toLine, type LineRow, type StoredLine } from './store.ts';

export type NewRetailBill = {
  readonly id: Id<'rtb'>;
  /** From a month's close, or for late usage of months in which the reseller sold before. */
  readonly kind: 'month' | 'late';
  readonly reseller: ResellerTerms;
  /** The reseller's organization. */
  readonly seller: Organization;
  readonly buyer: Organization;
  readonly month: BillingMonth;
  readonly sequence: number;
  readonly number: string;
  readonly dueAt: Date;
  readonly plan: BillPlan;
};

/** Locks a reseller's number series until the transaction ends, and returns the last number of a month. */
export async function lockReseller(ctx: Ctx, resellerId: string, month: BillingMonth): Promise<number> {
  await sql`select 1 from reseller where organization_id = ${resellerId} for no key update`.execute(ctx.db);
  const { rows } = await sql<{
    last: number;
  }>`select coalesce(max(sequence), 0) as last from retail_bill where reseller_id = ${resellerId} and month = ${month}`.execute(
    ctx.db,
  );
  return rows[0]?.last ?? 0;
}

/** Stores retail bills with their lines. */
export async function insertRetailBills(ctx: Ctx, bills: readonly NewRetailBill[]): Promise<void> {
  const rows = bills.map(({ id, kind, reseller, seller, buyer, month, sequence, number, dueAt, plan }) => ({
    id,
    kind,
    reseller_id: reseller.organizationId,
    organization_id: buyer.id,
    month,
    currency: plan.currency,
    sequence,
    number,
    due_at: dueAt.toISOString(),
    net_minor: String(plan.net.minor),
    tax_rate: plan.taxRate,
    tax_minor: String(plan.tax.minor),
    total_minor: String(plan.total.minor),
    seller: {
      name: reseller.name,
      instructions: reseller.instructions,
      taxId: seller.taxId,
      address: seller.billingAddress,
      email: seller.billingEmail,
      timeZone: buyer.timeZone,
    },
    buyer: {
      name: buyer.name,
      taxId: buyer.taxId,
      address: buyer.billingAddress,
      email: buyer.billingEmail,
    },
  }));
  await sql`insert into retail_bill (id, kind, reseller_id, organization_id, month, currency, sequence, number, issued_at, due_at, net_minor, tax_rate, tax_minor, total_minor, seller, buyer)
    select id, kind, reseller_id, organization_id, month, currency, sequence, number, ${ctx.now}, due_at, net_minor, tax_rate, tax_minor, total_minor, seller, buyer from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as b (id text, kind text, reseller_id text, organization_id text, month text, currency text, sequence int, number text, due_at timestamptz, net_minor bigint, tax_rate numeric, tax_minor bigint, total_minor bigint, seller jsonb, buyer jsonb)`.execute(
    ctx.db,
  );
  const lines = bills.flatMap(({ id, plan }) =>
    plan.lines.map((line, index) => ({
      retail_bill_id: id,
      position: index + 1,
      kind: line.kind,
      subscription_id: line.subscriptionId,
      service_id: line.serviceId,
      service_name: line.serviceName,
      price_version_id: line.priceVersionId,
      quantity: line.quantity,
      unit: line.unit,
      unit_price: line.unitPrice,
      exact_amount: decimalText(line.exact),
      amount_minor: String(line.amount.minor),
      arithmetic: line.steps,
      for_month: line.forMonth,
      charge: line.charge ?? null,
    })),
  );
  await sql`insert into retail_bill_line (retail_bill_id, position, kind, subscription_id, service_id, service_name, price_version_id, quantity, unit, unit_price, exact_amount, amount_minor, arithmetic, for_month, charge)
    select retail_bill_id, position, kind, subscription_id, service_id, service_name, price_version_id, quantity, unit, unit_price, exact_amount, amount_minor, arithmetic, for_month, nullif(charge, 'null') from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
      as l (retail_bill_id text, position int, kind text, subscription_id text, service_id text, service_name text, price_version_id text, quantity numeric, unit text, unit_price numeric, exact_amount numeric, amount_minor bigint, arithmetic jsonb, for_month text, charge jsonb)`.execute(
    ctx.db,
  );
}

/** Returns what retail bills charged for usage of some subscriptions in a month, by subscription. */
export async function retailUsage(
  ctx: Ctx,
  subscriptionIds: readonly string[],
  month: BillingMonth,
): Promise<ReadonlyMap<string, BilledUsage[]>> {
  const { rows } = await sql<{
    subscriptionId: string;
    currency: Currency;
    quantity: string;
    exact: string;
    minor: string;
  }>`select l.subscription_id as "subscriptionId", b.currency, sum(case when l.kind in ('usage', 'adjustment') then l.quantity else 0 end) as quantity, sum(l.exact_amount) as exact, sum(l.amount_minor) as minor
    from retail_bill_line l join retail_bill b on b.id = l.retail_bill_id
    where l.subscription_id = any(${[...subscriptionIds]}::text[]) and l.kind in ('usage', 'minimum', 'maximum', 'adjustment') and coalesce(l.for_month, b.month) = ${month} group by 1, 2`.execute(
    ctx.db,
  );
  return Map.groupBy(
    rows.map((row) => ({
      ...row,
      quantity: trimDecimal(row.quantity),
      exact: trimDecimal(row.exact),
      minor: BigInt(row.minor),
    })),
    (row) => row.subscriptionId,
  );
}

type RetailRow = Omit<RetailBill, 'net' | 'tax' | 'total' | 'credited'> & {
  readonly creditedMinor: bigint;
  readonly netMinor: bigint;
  readonly taxMinor: bigint;
  readonly totalMinor: bigint;
};
const columns = sql<RetailRow>`b.id, b.number, b.organization_id as "organizationId", b.buyer ->> 'name' as organization, b.seller ->> 'name' as seller, b.seller ->> 'instructions' as instructions, b.month, b.currency, b.issued_at as "issuedAt", b.due_at as "dueAt", trim_scale(b.tax_rate)::text as "taxRate", b.net_minor as "netMinor", b.tax_minor as "taxMinor", b.total_minor as "totalMinor", (select coalesce(sum(c.total_minor), 0)::bigint from retail_credit_note c where c.retail_bill_id = b.id) as "creditedMinor", b.paid_on::text as "paidOn", b.paid_note as "paidNote"`;

const toRetail = (row: RetailRow): RetailBill => ({
  id: row.id,
  number: row.number,
  organizationId: row.organizationId,
  organization: row.organization,
  seller: row.seller,
  instructions: row.instructions,
  month: row.month,
  currency: row.currency,
  issuedAt: row.issuedAt,
  dueAt: row.dueAt,
  net: money(row.netMinor, row.currency),
  taxRate: row.taxRate,
  tax: money(row.taxMinor, row.currency),
  total: money(row.totalMinor, row.currency),
  credited: money(row.creditedMinor, row.currency),
  paidOn: row.paidOn,
  paidNote: row.paidNote,
});

const order: ListOrder = {
  by: {
    issuedAt: { expression: sql`b.issued_at`, cast: 'timestamptz' },
    month: { expression: sql`b.month`, cast: 'text' },
    number: { expression: sql`b.number`, cast: 'text' },
  },
  usual: '-issuedAt',
  id: sql`b.id`,
};

/** Selects retail bills: those issued by a reseller, or those addressed to an organization. */
export type RetailOf = { readonly resellerId: string } | { readonly organizationId: string };
const isOf = (of: RetailOf) =>
  'resellerId' in of ? sql`b.reseller_id = ${of.resellerId}` : sql`b.organization_id = ${of.organizationId}`;

/** One page of retail bills, with the exact total. */
export function pageOfRetail(
  ctx: Ctx,
  of: RetailOf,
  input: PageInput & {
    readonly q?: string | undefined;
    readonly month?: BillingMonth | undefined;
    readonly organizationId?: string | undefined;
  },
): Promise<Page<RetailBill>> {
  const pattern = input.q ? containsPattern(input.q) : undefined;
  const list = {
    columns,
    from: sql`retail_bill b`,
    where: allOf(
      isOf(of),
      input.month && sql`b.month = ${input.month}`,
      input.organizationId && sql`b.organization_id = ${input.organizationId}`,
      pattern && sql`(b.number ilike ${pattern} or b.buyer ->> 'name' ilike ${pattern})`,
    ),
    order,
    cap: searchTotalCap,
  };
  return readPage(ctx.db, input, list, toRetail);
}

/** Returns a retail bill; another reseller's or organization's bill is treated as not found. */
export async function retailById(ctx: Ctx, id: string, of: RetailOf): Promise<RetailBill | undefined> {
  const { rows } =
    await sql<RetailRow>`select ${columns} from retail_bill b where b.id = ${id} and ${isOf(of)}`.execute(
      ctx.db,
    );
  return rows[0] && toRetail(rows[0]);
}

/** Returns the lines of a retail bill, in order. */
export async function linesOfRetail(ctx: Ctx, id: string, currency: Currency): Promise<StoredLine[]> {
  const { rows } =
    await sql<LineRow>`select l.position, l.kind, l.subscription_id, l.service_name, l.price_version_id, l.quantity, l.unit, l.unit_price, l.exact_amount, l.amount_minor, l.arithmetic, l.for_month, l.charge, null as term from retail_bill_line l where l.retail_bill_id = ${id} order by l.position`.execute(
      ctx.db,
    );
  return rows.map((row) => toLine(row, currency));
}

/** Records when a retail bill was paid, or that it is unpaid; false if the reseller has no such bill. */
export async function notePaid(
  ctx: Ctx,
  id: string,
  resellerId: string,
  paidOn: string | null,
  note: string,
): Promise<boolean> {
  const { rows } =
    await sql`update retail_bill set paid_on = ${paidOn}::date, paid_note = ${note} where id = ${id} and reseller_id = ${resellerId} returning id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

type StoredParty = {
  readonly name: string;
  readonly taxId: string;
  readonly address: string;
  readonly email: string;
};
/** Returns the seller and buyer of a retail bill as of its issue, and the time zone of its dates. */
export async function retailParties(
  ctx: Ctx,
  id: string,
): Promise<{
  readonly seller: StoredParty & { readonly timeZone: string };
  readonly buyer: StoredParty;
  readonly resellerId: string;
}> {
  const { rows } = await sql<{
    seller: StoredParty & { timeZone: string };
    buyer: StoredParty;
    resellerId: string;
  }>`select seller, buyer, reseller_id as "resellerId" from retail_bill where id = ${id}`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw new Error('parties of no retail bill');
  return row;
}
