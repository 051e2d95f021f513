// SQL for the content of a month pack: the month's bills, credit notes and payments, and their totals.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { ContentLanguage } from '#kernel/language.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Period } from '#kernel/time.ts';
import { byKey } from '#kernel/order.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { allOf } from '#platform/server/database/paging.ts';
import { creditSeries } from '#features/invoicing/credits/rules.ts';
import type { Payment } from '#features/receivables/payments/contract.ts';
import type { PackTotals } from '../contract.ts';

/**
 * The organization (null: all) and the month of a pack. Bills and voided bills are selected by the bill's
 * month, credit notes by their number, payments by when the money moved.
 */
export type PackScope = {
  readonly organizationId: Id<'org'> | null;
  readonly month: BillingMonth;
  readonly period: Period;
};

const ofBills = ({ organizationId, month }: Omit<PackScope, 'period'>) =>
  allOf(sql`b.month = ${month}`, organizationId && sql`b.organization_id = ${organizationId}`);
const ofNotes = ({ organizationId, month }: Omit<PackScope, 'period'>) =>
  allOf(sql`n.series = ${creditSeries(month)}`, organizationId && sql`n.organization_id = ${organizationId}`);

/** Counts the bills and credit notes of a month. */
export async function countDocuments(ctx: Ctx, scope: Omit<PackScope, 'period'>): Promise<number> {
  const { rows } = await sql<{
    total: bigint;
  }>`select (select count(*) from bill b where ${ofBills(scope)}) + (select count(*) from credit_note n where ${ofNotes(scope)}) as total`.execute(
    ctx.db,
  );
  return Number(rows[0]?.total ?? 0n);
}

/** A document of the month, and the language of its organization. */
export type PackDocument<P extends 'bil' | 'crn'> = {
  readonly id: Id<P>;
  readonly language: ContentLanguage;
};

/** The month's bills, ordered by number. */
export async function billsOf(ctx: Ctx, scope: PackScope): Promise<PackDocument<'bil'>[]> {
  return (
    await sql<
      PackDocument<'bil'>
    >`select b.id, o.language from bill b join organization o on o.id = b.organization_id where ${ofBills(scope)} order by b.number`.execute(
      ctx.db,
    )
  ).rows;
}

/** The month's credit notes, ordered by number. */
export async function notesOf(ctx: Ctx, scope: PackScope): Promise<PackDocument<'crn'>[]> {
  return (
    await sql<
      PackDocument<'crn'>
    >`select n.id, o.language from credit_note n join organization o on o.id = n.organization_id where ${ofNotes(scope)} order by n.number`.execute(
      ctx.db,
    )
  ).rows;
}

export type MoneyMoved = {
  kind: 'payment' | 'refund' | 'withdrawn' | 'reinstated' | 'dispute_fee';
  at: Date;
  id: string;
  payment_id: Id<'pay'>;
  organization: string;
  bill_number: string | null;
  method: Payment['method'];
  provider_reference: string | null;
  currency: Currency;
  amount_minor: bigint;
  to_bill_minor: bigint;
};

const moved = ({
  organizationId,
  period,
}: PackScope): {
  payments: RawBuilder<unknown>;
  refunds: RawBuilder<unknown>;
  disputes: RawBuilder<unknown>;
} => ({
  payments: allOf(
    sql`p.received_minor is not null and p.settled_at >= ${period.start} and p.settled_at < ${period.end}`,
    organizationId && sql`p.organization_id = ${organizationId}`,
  ),
  refunds: allOf(
    sql`r.state = 'succeeded' and r.settled_at >= ${period.start} and r.settled_at < ${period.end}`,
    organizationId && sql`r.organization_id = ${organizationId}`,
  ),
  disputes: allOf(
    sql`m.at >= ${period.start} and m.at < ${period.end}`,
    organizationId && sql`d.organization_id = ${organizationId}`,
  ),
});

/**
 * The lines of a dispute's movement. An organization's own pack has no fee line, because the provider bears
 * the fee.
 */
const ofDispute = ({
  organizationId,
}: PackScope) => sql`lateral (values (case when m.minor > 0 then 'withdrawn' else 'reinstated' end, -m.minor, -m.to_bill_minor), ('dispute_fee', -m.fee_minor, 0)) as line (kind, minor, to_bill_minor)
  where line.minor <> 0 and ${organizationId === null ? sql`true` : sql`line.kind <> 'dispute_fee'`}`;

/**
 * Payments of the month; refunds and disputed amounts withdrawn in it are negative. A bill paid from the
 * balance or by prepaid credit brings in no money and is recognized by its method.
 */
export function paymentsQuery(scope: PackScope): RawBuilder<MoneyMoved> {
  const { payments, refunds, disputes } = moved(scope);
  return sql<MoneyMoved>`select * from (
      select 'payment' as kind, p.settled_at as at, p.id, p.id as payment_id, o.name as organization, b.number as bill_number, p.method, p.provider_reference, p.received_currency as currency, p.received_minor as amount_minor, p.to_bill_minor
        from payment p join organization o on o.id = p.organization_id left join bill b on b.id = p.bill_id where ${payments}
      union all select 'refund', r.settled_at, r.id, p.id, o.name, b.number, p.method, r.provider_reference, r.currency, -r.amount_minor, 0
        from payment_refund r join payment p on p.id = r.payment_id join organization o on o.id = r.organization_id left join bill b on b.id = p.bill_id where ${refunds}
      union all select line.kind, m.at, m.id, p.id, o.name, b.number, p.method, m.provider_reference, d.currency, line.minor, line.to_bill_minor
        from payment_dispute_move m join payment_dispute d on d.id = m.dispute_id join payment p on p.id = d.payment_id join organization o on o.id = d.organization_id left join bill b on b.id = p.bill_id cross join ${ofDispute(scope)} and ${disputes}) as moved
    order by at, id, kind desc`;
}

/** The totals of commercial terms on the month's bills as issued, in one currency. */
export type TermSums = {
  readonly currency: Currency;
  readonly discount: bigint;
  readonly promotionalCredit: bigint;
  /** The effect of commitment rates. */
  readonly commitmentRates: bigint;
  /** Commitment shortfalls charged at the end of a period. */
  readonly trueUp: bigint;
  readonly minimumSpend: bigint;
};

/** Returns the totals of commercial terms on the month's bills, by currency; none if no bill has any. */
export async function termSums(ctx: Ctx, scope: PackScope): Promise<TermSums[]> {
  // Sums over a month may exceed a bigint, so the database returns numerics, as text.
  const of = (...kinds: readonly string[]): RawBuilder<unknown> =>
    sql`coalesce(sum(l.amount_minor) filter (where l.kind = any(${kinds}::text[])), 0)::text`;
  const { rows } = await sql<{
    [K in keyof TermSums]: K extends 'currency' ? Currency : string;
  }>`select b.currency, ${of('discount')} as discount, ${of('promotional_credit')} as "promotionalCredit",
      ${of('committed_rate', 'overage_rate')} as "commitmentRates", ${of('true_up')} as "trueUp", ${of('minimum_spend')} as "minimumSpend"
    from bill b join bill_line l on l.bill_id = b.id where ${ofBills(scope)}
      and l.kind in ('discount', 'promotional_credit', 'committed_rate', 'overage_rate', 'true_up', 'minimum_spend') group by b.currency order by b.currency`.execute(
    ctx.db,
  );
  return rows.map((row) => ({
    currency: row.currency,
    discount: BigInt(row.discount),
    promotionalCredit: BigInt(row.promotionalCredit),
    commitmentRates: BigInt(row.commitmentRates),
    trueUp: BigInt(row.trueUp),
    minimumSpend: BigInt(row.minimumSpend),
  }));
}

type Sums = {
  currency: Currency;
  kind:
    | 'bills'
    | 'voided'
    | 'creditNotes'
    | 'received'
    | 'refunded'
    | 'withdrawn'
    | 'reinstated'
    | 'dispute_fee';
  count: bigint;
  net: string;
  tax: string;
};

/** The totals of the month's documents, by currency. */
export async function packTotals(ctx: Ctx, scope: PackScope): Promise<PackTotals[]> {
  const { payments, refunds, disputes } = moved(scope);
  const { rows } =
    await sql<Sums>`select currency, 'bills' as kind, count(*) as count, sum(net_minor) as net, sum(tax_minor) as tax from bill b where ${ofBills(scope)} group by 1
    union all select b.currency, 'voided', count(*), sum(v.net_minor), sum(v.tax_minor) from bill_void v join bill b on b.id = v.bill_id where ${ofBills(scope)} group by 1
    union all select n.currency, 'creditNotes', count(*), sum(n.net_minor), sum(n.tax_minor) from credit_note n where ${ofNotes(scope)} group by 1
    union all select p.received_currency, 'received', count(*), sum(p.received_minor), 0 from payment p where ${payments} and p.method not in ('balance', 'prepaid_credit', 'withholding') group by 1
    union all select r.currency, 'refunded', count(*), sum(r.amount_minor), 0 from payment_refund r join payment p on p.id = r.payment_id where ${refunds} and p.method <> 'withholding' group by 1
    union all select d.currency, line.kind, count(*), sum(line.minor), 0 from payment_dispute_move m join payment_dispute d on d.id = m.dispute_id cross join ${ofDispute(scope)} and ${disputes} group by 1, 2`.execute(
      ctx.db,
    );
  return [...Map.groupBy(rows, (row) => row.currency)].toSorted(byKey).map(([currency, sums]) => {
    const of = (kind: Sums['kind']): Sums =>
      sums.find((each) => each.kind === kind) ?? { currency, kind, count: 0n, net: '0', tax: '0' };
    const amount = (minor: bigint): Money => money(minor, currency);
    // Sums over a month may exceed a bigint, so the database returns numerics, as text.
    const net = (kind: Sums['kind']): bigint => BigInt(of(kind).net);
    const tax = (kind: Sums['kind']): bigint => BigInt(of(kind).tax);
    const documents = (kind: Sums['kind']) => ({
      count: Number(of(kind).count),
      net: amount(net(kind)),
      tax: amount(tax(kind)),
      total: amount(net(kind) + tax(kind)),
    });
    return {
      currency,
      bills: documents('bills'),
      voided: documents('voided'),
      creditNotes: documents('creditNotes'),
      received: amount(net('received')),
      refunded: amount(net('refunded')),
      disputes: {
        withdrawn: amount(-net('withdrawn')),
        reinstated: amount(net('reinstated')),
        fees: scope.organizationId === null ? amount(-net('dispute_fee')) : null,
      },
    };
  });
}
