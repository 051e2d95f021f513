// SQL of deferred revenue for reading: totals by month, and the parts of fees that make them up.
import { sql, type RawBuilder } from 'kysely';
import type { Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { readTotal } from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/** Returns the unused prepaid credit, by currency. */
export async function creditLeft(ctx: Ctx): Promise<ReadonlyMap<Currency, bigint>> {
  const { rows } = await sql<{
    currency: Currency;
    minor: bigint;
  }>`select currency, sum(remaining_minor)::bigint as minor from credit_grant where kind = 'paid' and remaining_minor > 0 group by 1`.execute(
    ctx.db,
  );
  return new Map(rows.map((row) => [row.currency, row.minor]));
}

/** The part of a line that is deferred to a later month, or its reversal. */
export type PartRow = {
  organization: string;
  bill_number: string;
  position: number;
  service_name: string;
  bill_month: BillingMonth;
  month: BillingMonth;
  currency: Currency;
  minor: bigint;
  /** Empty for the bill itself; otherwise the number of the credit note, 'void', 'ended' or 'replaced'. */
  source: string;
  earned_at: Date | null;
};

/** All parts, by month, organization and bill. */
export const partsQuery: RawBuilder<PartRow> = sql<PartRow>`select o.name as organization, b.number as bill_number, s.position, l.service_name, b.month as bill_month, s.month, s.currency, s.minor, coalesce(n.number, s.source) as source, r.at as earned_at
  from revenue_schedule s join bill b on b.id = s.bill_id join bill_line l on l.bill_id = s.bill_id and l.position = s.position join organization o on o.id = s.organization_id
    left join credit_note n on n.id = s.source left join revenue_recognition r on r.id = s.recognition_id
  order by s.month, o.name, b.number, s.position, s.source`;

export const countParts = (ctx: Ctx): Promise<number> =>
  readTotal(ctx.db, { from: sql`revenue_schedule`, where: sql`true` });
