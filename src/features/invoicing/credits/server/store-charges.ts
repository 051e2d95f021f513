// Reversals as negative charges for bill exports: each line of a credit note and its tax, and the amounts of
// a void.
import { sql, type RawBuilder } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { allOf, containsPattern } from '#platform/server/database/paging.ts';
import {
  drawsOfBill,
  feeShare,
  momentText,
  namedCharges,
  type ChargeRow,
  type Corrections,
  type CorrectionsFilter,
} from '#features/invoicing/billing/server/index.ts';
import { creditSeries } from '../rules.ts';

type Filter = { readonly notes: RawBuilder<unknown>; readonly voids: RawBuilder<unknown> };

/**
 * A credit note belongs to the month of its number; a void belongs to the month of its bill, whose number it
 * has.
 */
function filterOf({ organizationId, q, month }: CorrectionsFilter): Filter {
  const pattern = q ? containsPattern(q) : undefined;
  const named =
    pattern && sql`(b.number ilike ${pattern} or o.name ilike ${pattern} or b.used_by_name ilike ${pattern})`;
  const ofOrganization = organizationId && sql`b.organization_id = ${organizationId}`;
  return {
    notes: allOf(
      ofOrganization,
      month && sql`n.series = ${creditSeries(month)}`,
      pattern &&
        sql`(n.number ilike ${pattern} or b.number ilike ${pattern} or o.name ilike ${pattern} or b.used_by_name ilike ${pattern})`,
    ),
    voids: allOf(ofOrganization, month && sql`b.month = ${month}`, named),
  };
}

const noteMonth = sql`(substr(n.series, 3, 4) || '-' || substr(n.series, 7, 2))`;
const zone = sql`coalesce(h.time_zone, o.time_zone)`;
const takenOfNote = sql`select l.position, l.kind, -c.net_minor as amount, coalesce(l.subscription_id, '') as subscription_id, coalesce(l.for_month, b.month) as for_month, coalesce(l.service_id, l.term ->> 'id') as service_id, l.service_name, coalesce(l.charge, l.term) as named, ${feeShare} as share, l.unit as cycle from credit_note_line c join bill_line l on l.bill_id = c.bill_id and l.position = c.position where c.credit_note_id = n.id and c.net_minor <> 0
    union all select 2147483647, 'tax', -n.tax_minor, '', b.month, '', '', null, null, '' where n.tax_minor <> 0`;
const takenByVoid = sql`select l.position, l.kind, coalesce(c.net, 0) - l.amount_minor as amount, coalesce(l.subscription_id, '') as subscription_id, coalesce(l.for_month, b.month) as for_month, coalesce(l.service_id, l.term ->> 'id') as service_id, l.service_name, coalesce(l.charge, l.term) as named, ${feeShare} as share, l.unit as cycle
      from bill_line l left join lateral (select sum(net_minor)::bigint as net from credit_note_line where bill_id = b.id and position = l.position) c on true where l.bill_id = b.id and coalesce(c.net, 0) <> l.amount_minor
    union all select 2147483647, 'tax', -v.tax_minor, '', b.month, '', '', null, null, '' where v.tax_minor <> 0`;

function correctionsQuery(filter: CorrectionsFilter, isFocus: boolean): RawBuilder<ChargeRow> {
  const { notes, voids } = filterOf(filter);
  const service = isFocus ? sql`left join service s on s.id = l.service_id` : sql``;
  const letterhead = sql`left join bill_letterhead h on h.id = b.letterhead_id ${isFocus ? sql`left join lateral ${drawsOfBill('null')} d on true` : sql``}`;
  // Reversals have no quantity, so no unit is shown; a table shows the days of a fee's cycle.
  const cycle = isFocus ? sql`''` : sql`l.cycle`;
  const ofNote = isFocus
    ? sql`(${noteMonth} || '-01')::timestamp at time zone ${zone}, ((${noteMonth} || '-01')::timestamp + interval '1 month') at time zone ${zone}, b.organization_id, ${zone}, l.service_id, s.type, s.category, s.tags, h.brand, d.of -> l.position::text, b.used_by_id, b.used_by_name`
    : sql`${noteMonth}, b.state, ${momentText('n.issued_at')}, '', null::text, null::text, l.share, b.used_by_name`;
  const ofVoid = isFocus
    ? sql`b.period_start, b.period_end, b.organization_id, ${zone}, l.service_id, s.type, s.category, s.tags, h.brand, d.of -> l.position::text, b.used_by_id, b.used_by_name`
    : sql`b.month, b.state, ${momentText('v.voided_at')}, '', null::text, null::text, l.share, b.used_by_name`;
  return namedCharges(
    sql`(select n.number, o.name, n.currency, l.kind, l.amount, '1', ${cycle}, l.subscription_id, l.for_month, l.service_name, l.named -> 'name', 'credit_note', ${ofNote}
      from credit_note n join bill b on b.id = n.bill_id join organization o on o.id = b.organization_id ${letterhead} cross join lateral (${takenOfNote}) l ${service} where ${notes} order by n.id, l.position)
    union all (select b.number, o.name, b.currency, l.kind, l.amount, '1', ${cycle}, l.subscription_id, l.for_month, l.service_name, l.named -> 'name', 'void', ${ofVoid}
      from bill_void v join bill b on b.id = v.bill_id join organization o on o.id = b.organization_id ${letterhead} cross join lateral (${takenByVoid}) l ${service} where ${voids} order by b.id, l.position)`,
    isFocus,
  );
}

async function countCorrections(ctx: Ctx, filter: CorrectionsFilter): Promise<number> {
  const { notes, voids } = filterOf(filter);
  const { rows } = await sql<{
    total: bigint;
  }>`select (select count(*) from credit_note n join bill b on b.id = n.bill_id join organization o on o.id = b.organization_id cross join lateral (${takenOfNote}) l where ${notes})
    + (select count(*) from bill_void v join bill b on b.id = v.bill_id join organization o on o.id = b.organization_id cross join lateral (${takenByVoid}) l where ${voids}) as total`.execute(
    ctx.db,
  );
  return Number(rows[0]?.total ?? 0n);
}

/** Passed by the app to the export of bills. */
export const corrections: Corrections = { query: correctionsQuery, count: countCorrections };
