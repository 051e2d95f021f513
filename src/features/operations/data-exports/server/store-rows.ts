// SQL of the exported rows: the database formats each as one CSV line, so that amounts never pass through
// floating point.
import { sql, type RawBuilder } from 'kysely';
import { required } from '#kernel/assert.ts';
import { majorUnits } from '#platform/server/database/table-columns.ts';
import { portionsWithin } from '#platform/server/files/export.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { shownColumns, tableRules } from '#features/operations/personal-data/rules.ts';
import { textOf, type ColumnTypes } from '#features/operations/personal-data/server/index.ts';
import {
  amountName,
  currencyWayOf,
  currencyWays,
  descriptionOf,
  eventsTable,
  isAmount,
  typeName,
  type EventSpan,
} from '../rules.ts';

/** A column as described in the manifest. */
export type FileColumn = { readonly name: string; readonly type: string; readonly description: string };
/** The rows of a table as CSV lines, with their columns. */
export type TableLines = {
  readonly columns: readonly FileColumn[];
  readonly header: string;
  readonly portions: () => AsyncGenerator<readonly { line: string }[], void, void>;
};

const linesAtOnce = 1000;
// Types whose text never contains a comma, a quote or a line break.
const plainTypes = new Set(['integer', 'decimal', 'boolean', 'timestamp', 'date', 'hex']);

/** Formats a value as CSV: null as nothing, an empty text as quotes, so that they can be distinguished. */
function cellOf(value: RawBuilder<unknown>, isPlain: boolean): RawBuilder<string> {
  if (isPlain) return sql<string>`coalesce(${value}, '')`;
  return sql<string>`case when ${value} is null then '' when ${value} = '' or ${value} ~ '[",\r\n]' then '"' || replace(${value}, '"', '""') || '"' else ${value} end`;
}

/** The currency of a row in a table without a currency column, and the join that it needs. */
function currencyOf(table: string): {
  readonly currency: RawBuilder<string>;
  readonly join: RawBuilder<unknown>;
} {
  const way = currencyWayOf(required(currencyWays[table], `the currency of ${table}`));
  if ('code' in way) return { currency: sql<string>`${way.code}::text`, join: sql`` };
  if ('own' in way) return { currency: sql<string>`${sql.ref(`${table}.${way.own}`)}`, join: sql`` };
  const on = way.on.map(([own, other]) => sql`money_row.${sql.ref(other)} = ${sql.ref(`${table}.${own}`)}`);
  return {
    currency: sql<string>`money_row.currency`,
    join: sql`left join ${sql.table(way.table)} as money_row on ${sql.join(on, sql` and `)}`,
  };
}

/** The rows of a table that meet a condition, read in the snapshot of `ctx`. */
export function tableLines(
  ctx: Ctx,
  types: ColumnTypes,
  table: string,
  where: RawBuilder<unknown> = sql`true`,
): TableLines {
  const known = required(types.get(table), `the columns of ${table}`);
  const shown = shownColumns(required(tableRules[table], `the rule of ${table}`)).map((name) => ({
    name,
    type: required(known.get(name), `the type of ${table}.${name}`),
  }));
  const hasAmounts = shown.some(({ name, type }) => isAmount(name, type));
  const isOwn = shown.some(({ name }) => name === 'currency');
  const { currency, join } =
    !hasAmounts || isOwn ? { currency: sql.ref(`${table}.currency`), join: sql`` } : currencyOf(table);
  const columns = shown.map(({ name, type }) => {
    const own = sql.ref(`${table}.${name}`);
    const isMoney = isAmount(name, type);
    return {
      name: isMoney ? amountName(name) : name,
      type: isMoney ? 'decimal' : typeName(type),
      description: descriptionOf(table, name, type),
      value: isMoney ? sql`(${majorUnits(own, currency)})::text` : textOf(own, type),
    };
  });
  const all =
    hasAmounts && !isOwn
      ? [
          ...columns,
          {
            name: 'currency',
            type: 'text',
            description: 'of the row’s amounts',
            value: sql`(${currency})::text`,
          },
        ]
      : columns;
  const cells = all.map(({ value, type }) => cellOf(value, plainTypes.has(type)));
  const query = sql<{
    line: string;
  }>`select ${sql.join(cells, sql` || ',' || `)} || E'\n' as line from ${sql.table(table)} ${join} where ${where}`;
  return {
    columns: all.map(({ name, type, description }) => ({ name, type, description })),
    header: `${all.map(({ name }) => name).join(',')}\n`,
    portions: () => portionsWithin(ctx, query, linesAtOnce),
  };
}

const arrivedIn = ({ after, through }: EventSpan, isLate: boolean): RawBuilder<unknown> =>
  sql`received_at <= ${through}${isLate && after ? sql` and received_at > ${after}` : sql``}`;

/**
 * The days (UTC) whose events a run exports: days completed since the previous run, and earlier ones with
 * late events.
 */
export async function eventDays(
  ctx: Ctx,
  span: EventSpan,
): Promise<{ readonly day: string; readonly isLate: boolean }[]> {
  const daysOf = (isLate: boolean, when: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`select distinct to_char(time at time zone 'UTC', 'YYYY-MM-DD') as day, ${isLate}::boolean as "isLate" from ${sql.table(eventsTable)} where ${when} and ${arrivedIn(span, isLate)}`;
  const { newFrom, daysEnd } = span;
  const fresh = daysOf(false, sql`time < ${daysEnd}${newFrom ? sql` and time >= ${newFrom}` : sql``}`);
  const late = newFrom && daysOf(true, sql`time < ${newFrom}`);
  const { rows } = await sql<{
    day: string;
    isLate: boolean;
  }>`${fresh}${late ? sql` union all ${late}` : sql``} order by 1, 2`.execute(ctx.db);
  return rows;
}

/** The events of a day (UTC): all of them, or those that arrived after another run had exported the day. */
export const eventLines = (
  ctx: Ctx,
  types: ColumnTypes,
  { day, isLate }: { readonly day: string; readonly isLate: boolean },
  span: EventSpan,
): TableLines =>
  tableLines(
    ctx,
    types,
    eventsTable,
    sql`time >= (${day}::date)::timestamp at time zone 'UTC' and time < (${day}::date + 1)::timestamp at time zone 'UTC' and ${arrivedIn(span, isLate)}`,
  );

/**
 * Returns which server answers and its newest migration. Also lifts the time limits of requests for this
 * transaction.
 */
export async function beginReading(
  ctx: Ctx,
): Promise<{ readonly readFrom: 'primary' | 'replica'; readonly schema: string }> {
  await sql`set local statement_timeout = 0`.execute(ctx.db);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(ctx.db);
  const { rows } = await sql<{
    isReplica: boolean;
    schema: string;
  }>`select pg_is_in_recovery() as "isReplica", (select max(name) from schema_migration) as schema`.execute(
    ctx.db,
  );
  const row = required(rows[0], 'an answer of the database');
  return { readFrom: row.isReplica ? 'replica' : 'primary', schema: row.schema };
}

/** Returns the name of the connected database. */
export async function databaseName(ctx: Ctx): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(ctx.db);
  return required(rows[0], 'the name of the database').name;
}
