// SQL of the letterheads of bill documents.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { newestLayout, type DocumentLayout } from './document-layout.ts';
import { letterheadId, sellerOf, type Letterhead } from './letterhead.ts';

/** Stores the current seller details for newly issued bills, per time zone, and returns their ids. */
export async function storeLetterheads(
  ctx: Ctx,
  timeZones: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const { brand, seller } = await sellerOf(ctx);
  const made = [...timeZones].map((timeZone) => ({
    timeZone,
    id: letterheadId({ brand, seller, timeZone }),
  }));
  await sql`insert into bill_letterhead (id, brand, seller, time_zone) select id, ${brand}, ${JSON.stringify(seller)}::jsonb, time_zone from unnest(${made.map(({ id }) => id)}::text[], ${made.map(({ timeZone }) => timeZone)}::text[]) as l (id, time_zone) on conflict do nothing`.execute(
    ctx.db,
  );
  return new Map(made.map(({ timeZone, id }) => [timeZone, id]));
}

/**
 * Returns a bill's seller details, the time zone of its dates and its layout; older bills without a stored
 * letterhead use the current one.
 */
export async function letterheadOf(
  ctx: Ctx,
  billId: string,
): Promise<Letterhead & { readonly layout: DocumentLayout }> {
  const { rows } = await sql<{
    brand: string | null;
    seller: Letterhead['seller'] | null;
    timeZone: string;
    layout: number;
  }>`select l.brand, l.seller, b.document_layout as layout, coalesce(l.time_zone, o.time_zone) as "timeZone"
    from bill b join organization o on o.id = b.organization_id left join bill_letterhead l on l.id = b.letterhead_id where b.id = ${billId}`.execute(
    ctx.db,
  );
  const [row] = rows;
  if (!row) throw new Error('a letterhead of no bill');
  const layout = row.layout === 1 ? 1 : newestLayout;
  return row.brand === null || row.seller === null
    ? { ...(await sellerOf(ctx)), timeZone: row.timeZone, layout }
    : { brand: row.brand, seller: row.seller, timeZone: row.timeZone, layout };
}
