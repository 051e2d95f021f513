// SQL of realized exchange gains: settlements of bills in other currencies, with the amounts settled before
// each.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { SettlementKind } from '../contract-exchange.ts';

export type SettlementRow = {
  readonly organizationId: Id<'org'>;
  readonly organization: string;
  readonly currency: Currency;
  readonly kind: SettlementKind;
  readonly number: string;
  readonly paymentId: Id<'pay'> | null;
  readonly billId: Id<'bil'>;
  readonly billNumber: string;
  readonly billDay: LocalDay;
  readonly day: LocalDay;
  readonly minor: bigint;
  readonly before: bigint;
  readonly beforeOnDay: bigint;
};
type Asked = {
  readonly from: LocalDay;
  readonly to: LocalDay;
  readonly zone: string;
  /** The reporting currency: bills in it have no gains. */
  readonly reporting: Currency;
  readonly organizationId?: Id<'org'>;
  readonly of?: Currency;
};

/**
 * Returns the settlements on days of a time zone, oldest first. Whatever reduces a bill's due amount settles
 * it; reversals are negative. A void is not a settlement: it reverses the bill at the bill's own rate.
 */
export async function settlementsOf(
  ctx: Ctx,
  { from, to, zone, reporting, organizationId, of }: Asked,
): Promise<SettlementRow[]> {
  const local = (at: ReturnType<typeof sql>) => sql`(${at} at time zone ${zone})::date`;
  const ofOrganization =
    organizationId === undefined ? sql`true` : sql`b.organization_id = ${organizationId}`;
  const ofCurrency = of === undefined ? sql`true` : sql`b.currency = ${of}`;
  const { rows } = await sql<SettlementRow>`
    with moves as (
      select p.bill_id, 'payment' as kind, p.id, p.id as payment_id, '' as number, p.settled_at as at, p.to_bill_minor as minor from payment p where p.state in ('succeeded', 'refunded') and p.bill_id is not null and p.to_bill_minor <> 0
      union all select p.bill_id, 'dispute', m.id, p.id, '', m.at, -m.to_bill_minor from payment_dispute_move m join payment_dispute d on d.id = m.dispute_id join payment p on p.id = d.payment_id where m.to_bill_minor <> 0 and p.bill_id is not null
      union all select p.bill_id, 'returned', r.id, p.id, '', r.settled_at, -r.amount_minor from payment_refund r join payment p on p.id = r.payment_id where r.state = 'succeeded' and p.method = 'withholding' and p.bill_id is not null
      union all select n.bill_id, 'credit', n.id, null, n.number, n.issued_at, n.to_due_minor from credit_note n where n.to_due_minor <> 0),
    touched as (select distinct m.bill_id from moves m where ${local(sql`m.at`)} between ${from}::date and ${to}::date),
    settled as (
      select b.organization_id, b.currency, b.id as bill_id, b.number as bill_number, ${local(sql`b.issued_at`)} as bill_day, m.kind, m.id, m.payment_id, m.number, m.at, ${local(sql`m.at`)} as day, m.minor
      from touched join bill b on b.id = touched.bill_id join moves m on m.bill_id = b.id where b.currency <> ${reporting} and ${ofOrganization} and ${ofCurrency}),
    summed as (
      select s.*, coalesce(sum(minor) over (partition by bill_id order by at, id rows between unbounded preceding and 1 preceding), 0)::bigint as before,
        coalesce(sum(minor) over (partition by bill_id, day order by at, id rows between unbounded preceding and 1 preceding), 0)::bigint as before_on_day
      from settled s)
    select s.organization_id as "organizationId", o.name as organization, s.currency, s.kind, s.number, s.payment_id as "paymentId", s.bill_id as "billId", s.bill_number as "billNumber",
      s.bill_day::text as "billDay", s.day::text as day, s.minor, s.before, s.before_on_day as "beforeOnDay"
    from summed s join organization o on o.id = s.organization_id where s.day between ${from}::date and ${to}::date order by s.at, s.id`.execute(
    ctx.db,
  );
  return rows;
}
