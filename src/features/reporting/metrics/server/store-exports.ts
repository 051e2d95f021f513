// SQL of reports as files: each row as cell texts, amounts in major units.
import { sql, type RawBuilder } from 'kysely';
import { currencies, type Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthNumber } from '#kernel/time.ts';
import { readTotal } from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { agingBuckets } from '../contract.ts';
import { changedCustomers } from './store.ts';
import { agedTables, type DayEnd } from './store-ledger.ts';

export type ReportRow = { readonly cells: readonly string[] };

/** Converts minor units to a text in major units, with the currency's digits. */
const major = (minor: RawBuilder<unknown>, currency: Currency): RawBuilder<unknown> => {
  const { billingDigits } = currencies[currency];
  return sql`round((${minor})::numeric / power(10::numeric, ${sql.lit(billingDigits)}), ${sql.lit(billingDigits)})::text`;
};
const row = (cells: readonly RawBuilder<unknown>[]): RawBuilder<ReportRow> =>
  sql<ReportRow>`select array[${sql.join(cells)}] as cells`;

/** Rows that are already computed, in their order. */
export function givenRows(rows: readonly (readonly string[])[]): RawBuilder<ReportRow> {
  return sql<ReportRow>`select array(select jsonb_array_elements_text(value)) as cells from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as given (value, place) order by place`;
}

/** Customers whose recurring revenue changed in a month. */
export function changesQuery(currency: Currency, month: BillingMonth): RawBuilder<ReportRow> {
  const cells = [
    sql`o.name`,
    sql`c.kind`,
    major(sql`c.before`, currency),
    major(sql`c.now`, currency),
    major(sql`c.now - c.before`, currency),
  ];
  return sql<ReportRow>`${row(cells)} from ${changedCustomers(currency, month)} order by abs(c.now - c.before) desc, o.id`;
}

/** What customers were charged for a month. */
export function revenueQuery(currency: Currency, month: BillingMonth): RawBuilder<ReportRow> {
  const parts = ['recurring_minor', 'usage_minor', 'once_minor'].map((name) => sql.ref(`r.${name}`));
  const total = sql`(${sql.join(parts, sql` + `)})`;
  const cells = [sql`o.name`, ...[...parts, total].map((minor) => major(minor, currency))];
  return sql<ReportRow>`${row(cells)} from metric_revenue r join organization o on o.id = r.organization_id
    where r.currency = ${currency} and r.month_no = ${monthNumber(month)} order by ${total} desc, o.id`;
}

/** What customers owed at the end of a day. */
export function agedQuery(currency: Currency, end: DayEnd): RawBuilder<ReportRow> {
  const cells = [
    sql`o.name`,
    ...[...agingBuckets, 'total'].map((name) => major(sql.ref(`c.${name}`), currency)),
  ];
  return sql<ReportRow>`${row(cells)} from ${agedTables(currency, end)} order by c.total desc, o.id`;
}

export const countOf = (ctx: Ctx, query: RawBuilder<ReportRow>): Promise<number> =>
  readTotal(ctx.db, { from: sql`(${query}) as counted`, where: sql`true` });
