// What the catalogue asks the database about services as rows of a table.
import { sql, type RawBuilder } from 'kysely';
import type { Ctx } from '#platform/server/ctx.ts';
import { planPage } from '#platform/server/paging.ts';
import type { Service } from '../contract.ts';
import { columns, conditionOf, priceAt, sortColumns, toService, type ServiceFilter, type ServiceRow } from './store.ts';

export type TableRow = ServiceRow & { readonly external_ref: string | null };
export type TableService = Service & { readonly externalRef: string | null };

/** A row as a service with its external reference. */
export const toTableService = (row: TableRow): TableService => ({ ...toService(row), externalRef: row.external_ref });

/** The statement that answers all services of a filter in an order. */
export function tableQuery(filter: ServiceFilter & { sort?: string | undefined }, now: Date): RawBuilder<TableRow> {
  const { orderBy } = planPage(filter.sort === undefined ? {} : { sort: filter.sort }, sortColumns, 'name', sql`s.id`);
  return sql<TableRow>`select ${columns}, s.external_ref from service s ${priceAt(now)} where ${conditionOf(filter, now)} order by ${orderBy}`;
}

/** Services that have one of these references, or one of these names with its type; locked until the unit ends when it is going to change them. */
export async function servicesNamed(ctx: Ctx, wanted: { refs: readonly string[]; names: readonly { name: string; type: string }[] }, lock: boolean): Promise<TableService[]> {
  const found = sql`s.external_ref = any(${[...wanted.refs]}::text[]) or (s.name, s.type) in (select * from unnest(${wanted.names.map((each) => each.name)}::text[], ${wanted.names.map((each) => each.type)}::text[]))`;
  if (lock) await sql`select from service s where ${found} order by s.id for update`.execute(ctx.db);
  const { rows } = await sql<TableRow>`select ${columns}, s.external_ref from service s ${priceAt(ctx.now)} where ${found}`.execute(ctx.db);
  return rows.map(toTableService);
}
