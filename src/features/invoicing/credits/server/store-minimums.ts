// SQL of what minimum spends added to bills, and what credit notes returned of it.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { AddedByMinimum } from '#features/invoicing/one-offs/server/index.ts';

/**
 * Returns the lines of bills in force that filled up to some minimum spends, latest months first, in one
 * statement for any number of them. Void bills do not count; a replacement bill counts like any other.
 */
export async function addedByMinimums(
  ctx: Ctx,
  minimums: readonly { readonly id: string; readonly organizationId: string }[],
): Promise<readonly AddedByMinimum[]> {
  if (minimums.length === 0) return [];
  const { rows } = await sql<
    Omit<AddedByMinimum, 'bill'> & { billId: AddedByMinimum['bill']['id']; billNumber: string }
  >`
    select l.term ->> 'id' as "minimumSpendId", b.month, b.id as "billId", b.number as "billNumber", l.amount_minor as minor,
      (select coalesce(sum(n.net_minor), 0) from credit_note_line n where n.bill_id = l.bill_id and n.position = l.position)::bigint as credited
    from bill b join bill_line l on l.bill_id = b.id
    where b.organization_id = any(${minimums.map(({ organizationId }) => organizationId)}::text[]) and b.kind = 'month' and b.state <> 'void'
      and l.kind = 'minimum_spend' and l.term ->> 'id' = any(${minimums.map(({ id }) => id)}::text[])
    order by b.month desc, b.id desc`.execute(ctx.db);
  return rows.map(({ billId, billNumber, ...row }) => ({ ...row, bill: { id: billId, number: billNumber } }));
}
