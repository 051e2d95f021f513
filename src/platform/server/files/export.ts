// Lists as files of any length: rows come from a database cursor and leave as they come, so memory stays the same.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { FileAnswer } from '#kernel/contract.ts';
import { DomainError } from '#kernel/errors.ts';
import { csvMediaType, csvOf, headOf, type CsvCell } from './csv.ts';
import type { Ctx } from '../unit-of-work/ctx.ts';
import { mostSheetRows, xlsxMediaType, xlsxOf } from './spreadsheet.ts';
import type { Tables } from '../database/tables.ts';
import { unitOfWork } from '../unit-of-work/unit-of-work.ts';

export type TableExport<Row> = {
  readonly format: 'csv' | 'xlsx';
  /** The audit row's action. */
  readonly action: string;
  /** What was asked for, for the audit row: who took which rows out. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** The file's name without its ending, and the sheet's. */
  readonly title: string;
  readonly header: readonly string[];
  readonly total: number;
  readonly query: RawBuilder<Row>;
  readonly cells: (row: Row) => readonly CsvCell[];
  /** The same rows as lines of a CSV file that the database has written (table-columns.ts). */
  readonly lines?: RawBuilder<{ line: string }>;
};
type Rows<Row> = Pick<TableExport<Row>, 'header' | 'query' | 'cells' | 'lines'>;

const rowsAtOnce = 200;
// Finished lines cost the console next to nothing, asking for them does.
const linesAtOnce = 1000;
// Each holds a connection for as long as its reader takes: most of them stay for everybody else.
const mostAtOnce = 4;
const retryAfterSeconds = 10;
let running = 0;

/** A list as a file. Who takes it, by which filter and how many rows, stands in the audit log before the first row leaves. */
export async function exportTable<Row>(ctx: Ctx, table: TableExport<Row>): Promise<FileAnswer> {
  const { format, action, filter, title, header, total } = table;
  if (running >= mostAtOnce) throw new DomainError('platform.busy', 503, { retryAfter: retryAfterSeconds });
  if (format === 'xlsx' && total > mostSheetRows)
    throw new DomainError('platform.sheet_too_long', 422, { most: mostSheetRows }, ['format']);
  const { actor, language, requestId } = ctx;
  await unitOfWork(ctx.app, { actor, language, requestId }, async (unit) =>
    unit.audit(action, undefined, { format, filter, rows: total }),
  );
  const body = held<string | Uint8Array>(ctx.app.database.kysely, (transaction) =>
    format === 'csv' ? csvFrom(transaction, table) : xlsxOf(title, header, rowsWithin(transaction, table)),
  );
  return {
    fileName: `${title}.${format}`,
    mediaType: format === 'csv' ? csvMediaType : xlsxMediaType,
    totalRows: total,
    body,
  };
}

/**
 * What is read of one moment. The connection is taken when the first of it is asked for and given back when the last of it was,
 * or when the reader goes away; one who stands still loses it (db.ts).
 */
async function* held<T>(
  db: Kysely<Tables>,
  read: (transaction: Kysely<Tables>) => AsyncIterable<T>,
): AsyncGenerator<T, void, void> {
  running += 1;
  try {
    const transaction = await db
      .startTransaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute();
    try {
      yield* read(transaction);
    } finally {
      await transaction.rollback().execute();
    }
  } finally {
    running -= 1;
  }
}

async function* rowsWithin<Row>(
  transaction: Kysely<Tables>,
  { query, cells }: Rows<Row>,
): AsyncGenerator<readonly CsvCell[], void, void> {
  for await (const some of fetched(transaction, query, rowsAtOnce)) for (const row of some) yield cells(row);
}

/** The text of a CSV file, in pieces. */
async function* csvFrom<Row>(
  transaction: Kysely<Tables>,
  table: Rows<Row>,
): AsyncGenerator<string, void, void> {
  const { header, lines } = table;
  if (lines === undefined) return yield* csvOf(header, rowsWithin(transaction, table));
  yield headOf(header);
  for await (const some of fetched(transaction, lines, linesAtOnce))
    yield some.map(({ line }) => line).join('');
}

/** The rows of a statement, some at a time, of the moment that a transaction sees; one statement after the other in the same transaction. */
async function* fetched<Row>(
  transaction: Kysely<Tables>,
  query: RawBuilder<Row>,
  atOnce: number,
): AsyncGenerator<readonly Row[], void, void> {
  let fetching: Promise<{ rows: Row[] }> | undefined;
  try {
    await sql`declare exported no scroll cursor for ${query}`.execute(transaction);
    const fetchSome = (): Promise<{ rows: Row[] }> => {
      const some = sql<Row>`fetch forward ${sql.lit(atOnce)} from exported`.execute(transaction);
      // It may fail while the reader still takes the rows before it: whoever awaits it is told, the process must not end of it.
      some.catch(() => undefined);
      return some;
    };
    fetching = fetchSome();
    for (;;) {
      const rows: readonly Row[] = (await fetching).rows;
      // While these are written, the database looks up the next ones.
      fetching = rows.length < atOnce ? undefined : fetchSome();
      if (rows.length > 0) yield rows;
      if (!fetching) return;
    }
  } finally {
    // Nobody reads what a reader who went away had asked for, nor what kept it from coming.
    await fetching?.catch(() => undefined);
  }
}

/** A table as the text of a CSV file, of the moment that a 'snapshot' unit sees. */
export async function* csvWithin<Row>(ctx: Ctx, table: Rows<Row>): AsyncGenerator<string, void, void> {
  yield* csvFrom(ctx.db, table);
  await sql`close exported`.execute(ctx.db);
}
