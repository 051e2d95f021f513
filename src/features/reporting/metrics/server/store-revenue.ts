// SQL of recognized revenue by month, from bills, credit notes, voids, recognitions and expired credit; the
// ledger only tells when each was booked.
import { sql, type RawBuilder } from 'kysely';
import { money, type Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { RevenueMonth } from '../contract.ts';
import type { Between } from './store-ledger.ts';

const parts = ['billed', 'promotional', 'deferred', 'released', 'credited', 'expired'] as const;
type Part = (typeof parts)[number];

/**
 * Returns revenue by the month, in the time zone, in which it was booked. Discounts are subtracted;
 * commitment shortfalls are included, as in the net amounts of bills.
 */
export async function revenueOf(
  ctx: Ctx,
  currency: Currency,
  { from, until }: Between,
  zone: string,
): Promise<RevenueMonth[]> {
  const month = sql`to_char(t.at at time zone ${zone}, 'YYYY-MM')`;
  const of = (part: Part, minor: RawBuilder<unknown>, tables: RawBuilder<unknown>) =>
    sql`select ${month} as month, ${sql.lit(part)} as part, ${minor} as minor from ledger_transaction t ${tables} and t.id >= ${from} and t.id < ${until}`;
  const bill = sql`join bill b on b.id = t.reference and b.currency = ${currency}`;
  const issued = sql`${bill} where t.kind = 'bill'`;
  const taken = (source: RawBuilder<unknown>) =>
    sql`(n.net_minor + coalesce((select sum(s.minor) from revenue_schedule s where s.bill_id = n.bill_id and s.source = ${source}), 0))`;
  const { rows } = await sql<{ month: BillingMonth } & Record<Part, string>>`
    select month, ${sql.join(parts.map((part) => sql`coalesce(sum(minor) filter (where part = ${sql.lit(part)}), 0)::text as ${sql.ref(part)}`))} from (
      ${of('billed', sql`b.net_minor::numeric`, issued)}
      union all ${of('promotional', sql`b.promotional_minor`, issued)}
      union all ${of('deferred', sql`-s.minor`, sql`${bill} join revenue_schedule s on s.bill_id = b.id and s.source = '' where t.kind = 'bill'`)}
      union all ${of('released', sql`r.minor`, sql`join revenue_recognition r on r.id = t.reference and r.currency = ${currency} where t.kind = 'recognition'`)}
      union all ${of('credited', sql`-${taken(sql`n.id`)}`, sql`join credit_note n on n.id = t.reference and n.currency = ${currency} where t.kind = 'credit_note'`)}
      union all ${of('credited', sql`-${taken(sql`'void'`)} - b.promotional_minor`, sql`${bill} join bill_void n on n.bill_id = b.id where t.kind = 'void'`)}
      union all ${of('expired', sql`-m.minor`, sql`join credit_movement m on m.id = t.reference join credit_grant g on g.id = m.grant_id and g.currency = ${currency} and g.kind = 'paid' where t.kind = 'credit_grant' and m.kind in ('expired', 'reopened')`)}
    ) made group by month order by month`.execute(ctx.db);
  return rows.map((row) => {
    const amount = (part: Part) => BigInt(row[part]);
    return {
      month: row.month,
      billed: money(amount('billed'), currency),
      promotional: money(amount('promotional'), currency),
      deferred: money(amount('deferred'), currency),
      released: money(amount('released'), currency),
      credited: money(amount('credited'), currency),
      expired: money(amount('expired'), currency),
      total: money(
        parts.reduce((sum, part) => sum + amount(part), 0n),
        currency,
      ),
    };
  });
}
