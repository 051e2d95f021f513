// Lists as files of any length: rows come from a database cursor and leave as they come, so memory stays the same.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { FileAnswer } from '#kernel/contract.ts';
import { Refusal } from '#kernel/refusal.ts';
import { csvMediaType, csvOf, type CsvCell } from './csv.ts';
import type { Ctx } from './ctx.ts';
import { mostSheetRows, xlsxMediaType, xlsxOf } from './spreadsheet.ts';
import type { Tables } from './tables.ts';
import { work } from './work.ts';

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
};

const rowsAtOnce = 200;
// Each holds a connection for as long as its reader takes: most of them stay for everybody else.
const mostAtOnce = 4;
const retryAfterSeconds = 10;
let running = 0;

/** A list as a file. Who takes it, by which filter and how many rows, stands in the audit log before the first row leaves. */
export async function exportTable<Row>(ctx: Ctx, table: TableExport<Row>): Promise<FileAnswer> {
  const { format, action, filter, title, header, total } = table;
  if (running >= mostAtOnce) throw new Refusal('platform.busy', 503, { retryAfter: retryAfterSeconds });
  if (format === 'xlsx' && total > mostSheetRows) throw new Refusal('platform.sheet_too_long', 422, { most: mostSheetRows }, ['format']);
  const { actor, language, requestId } = ctx;
  await work(ctx.world, { actor, language, requestId }, async (unit) => unit.note(action, undefined, { format, filter, rows: total }));
  const rows = cellsOf(ctx.world.database.kysely, table);
  const body = format === 'csv' ? csvOf(header, rows) : xlsxOf(title, header, rows);
  return { fileName: `${title}.${format}`, mediaType: format === 'csv' ? csvMediaType : xlsxMediaType, totalRows: total, body };
}

/**
 * The rows of one statement, all of one moment, as cells. The connection is taken when the first row is asked for and
 * given back when the last one was, or when the reader goes away; one who stands still loses it (db.ts).
 */
async function* cellsOf<Row>(db: Kysely<Tables>, { query, cells }: TableExport<Row>): AsyncGenerator<readonly CsvCell[], void, void> {
  running += 1;
  try {
    yield* rowsOf(db, query, cells);
  } finally {
    running -= 1;
  }
}

async function* rowsOf<Row>(db: Kysely<Tables>, query: RawBuilder<Row>, cells: TableExport<Row>['cells']): AsyncGenerator<readonly CsvCell[], void, void> {
  const transaction = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute();
  try {
    yield* rowsWithin(transaction, query, cells);
  } finally {
    await transaction.rollback().execute();
  }
}

/** The rows of a statement as cells, of the moment that a transaction sees; one after the other in the same transaction. */
async function* rowsWithin<Row>(transaction: Kysely<Tables>, query: RawBuilder<Row>, cells: TableExport<Row>['cells']): AsyncGenerator<readonly CsvCell[], void, void> {
  let fetching: Promise<{ rows: Row[] }> | undefined;
  try {
    await sql`declare exported no scroll cursor for ${query}`.execute(transaction);
    const fetchSome = (): Promise<{ rows: Row[] }> => {
      const some = sql<Row>`fetch forward ${sql.lit(rowsAtOnce)} from exported`.execute(transaction);
      // It may fail while the reader still takes the rows before it: whoever awaits it is told, the process must not end of it.
      some.catch(() => undefined);
      return some;
    };
    fetching = fetchSome();
    for (;;) {
      const rows: readonly Row[] = (await fetching).rows;
      // While these are written, the database looks up the next ones.
      fetching = rows.length < rowsAtOnce ? undefined : fetchSome();
      for (const row of rows) yield cells(row);
      if (!fetching) return;
    }
  } finally {
    // Nobody reads what a reader who went away had asked for, nor what kept it from coming.
    await fetching?.catch(() => undefined);
  }
}

/** A table as the text of a CSV file, of the moment that a 'snapshot' unit sees. */
export async function* csvWithin<Row>(ctx: Ctx, { header, query, cells }: Pick<TableExport<Row>, 'header' | 'query' | 'cells'>): AsyncGenerator<string, void, void> {
  yield* csvOf(header, rowsWithin(ctx.db, query, cells));
  await sql`close exported`.execute(ctx.db);
}
