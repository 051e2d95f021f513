// SQL of credit notes on retail bills.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { RetailCredit } from '../contract-retail.ts';
import type { Parts } from '../rules-retail-credit.ts';

/** Returns the credit notes of a retail bill, oldest first. */
export async function retailCredits(ctx: Ctx, billId: string, currency: Currency): Promise<RetailCredit[]> {
  const { rows } = await sql<
    Pick<RetailCredit, 'id' | 'number' | 'reason' | 'issuedAt'> & {
      netMinor: bigint;
      taxMinor: bigint;
      totalMinor: bigint;
    }
  >`select id, number, reason, issued_at as "issuedAt", net_minor as "netMinor", tax_minor as "taxMinor", total_minor as "totalMinor" from retail_credit_note where retail_bill_id = ${billId} order by sequence`.execute(
    ctx.db,
  );
  return rows.map(({ netMinor, taxMinor, totalMinor, ...credit }) => ({
    ...credit,
    net: money(netMinor, currency),
    tax: money(taxMinor, currency),
    total: money(totalMinor, currency),
  }));
}

/** Locks a retail bill of a reseller until the transaction ends, and returns the amount credited so far. */
export async function lockCredited(ctx: Ctx, billId: string, resellerId: string): Promise<Parts> {
  // The reseller first: its numbers are gapless, and a close locks it first, too.
  await sql`select 1 from reseller where organization_id = ${resellerId} for no key update`.execute(ctx.db);
  const { rows } =
    await sql<Parts>`select coalesce(sum(net_minor), 0)::bigint as net, coalesce(sum(tax_minor), 0)::bigint as tax, coalesce(sum(total_minor), 0)::bigint as total
    from retail_credit_note where retail_bill_id = ${billId}`.execute(ctx.db);
  return rows[0] ?? { net: 0n, tax: 0n, total: 0n };
}

const numberDigits = 4;

/**
 * Issues a credit note with the reseller's next number: `SHOP-CN-0001`. The caller holds the reseller's lock,
 * see {@link lockCredited}.
 */
export async function insertRetailCredit(
  ctx: Ctx,
  credit: {
    readonly billId: string;
    readonly resellerId: string;
    readonly numberPrefix: string;
    readonly reason: string;
    readonly parts: Parts;
    readonly by: Id<'usr'>;
  },
): Promise<{ readonly id: Id<'rcn'>; readonly number: string }> {
  const { billId, resellerId, numberPrefix, reason, parts, by } = credit;
  const { rows: last } = await sql<{
    next: number;
  }>`select coalesce(max(sequence), 0) + 1 as next from retail_credit_note where reseller_id = ${resellerId}`.execute(
    ctx.db,
  );
  const sequence = last[0]?.next ?? 1;
  const id = ctx.newId('rcn');
  const number = `${numberPrefix}-CN-${String(sequence).padStart(numberDigits, '0')}`;
  await sql`insert into retail_credit_note (id, retail_bill_id, reseller_id, sequence, number, reason, net_minor, tax_minor, total_minor, issued_by, issued_at)
    values (${id}, ${billId}, ${resellerId}, ${sequence}, ${number}, ${reason}, ${parts.net}, ${parts.tax}, ${parts.total}, ${by}, ${ctx.now})`.execute(
    ctx.db,
  );
  return { id, number };
}
