// SQL of invoice exports.
import { sql, type RawBuilder } from 'kysely';
import type { In } from '#kernel/contract.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { einvoices } from '../contract.ts';
import { invoiceColumns, invoiceFilter, invoiceTables, type InvoiceRow } from './store.ts';

type Filter = Omit<In<typeof einvoices.exportEinvoices>, 'format' | 'language'>;

export async function countInvoices(ctx: Ctx, filter: Filter): Promise<number> {
  const { rows } = await sql<{
    count: bigint;
  }>`select count(*) as count from ${invoiceTables} where ${invoiceFilter(null, filter)}`.execute(ctx.db);
  return Number(rows[0]?.count ?? 0n);
}
/** Selects invoices ordered by number; those without one come last. */
export const invoicesQuery = (filter: Filter): RawBuilder<InvoiceRow> =>
  sql<InvoiceRow>`select ${invoiceColumns} from ${invoiceTables} where ${invoiceFilter(null, filter)} order by i.period, i.number, i.id`;
