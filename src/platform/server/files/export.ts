// Exports lists as files of any length: rows are streamed from a database cursor, so memory use stays
// constant.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { FileAnswer } from '#kernel/contract.ts';
import { DomainError } from '#kernel/errors.ts';
import { csvMediaType, csvOf, headOf, type CsvCell } from './csv.ts';
import type { Ctx } from '../unit-of-work/ctx.ts';
import { maxSheetRows, xlsxMediaType, xlsxOf } from './spreadsheet.ts';
import { unitOfWork } from '../unit-of-work/unit-of-work.ts';

export type TableExport<Row> = {
  readonly format: 'csv' | 'xlsx';
  /** The action in the audit row. */
  readonly action: string;
  /** The filter, for the audit row: which rows the caller exported. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** The file name without extension, and the name of the sheet. */
  readonly title: string;
  readonly header: readonly string[];
  readonly total: number;
  readonly query: RawBuilder<Row>;
  readonly cells: (row: Row) => readonly CsvCell[];
  /** The same rows as CSV lines formatted by the database (table-columns.ts). */
  readonly lines?: RawBuilder<{ line: string }>;
};
type Rows<Row> = Pick<TableExport<Row>, 'header' | 'query' | 'cells' | 'lines'>;

/** The title of an export of the present state: what it holds, and the day (UTC) on which it was made. */
export const datedTitle = ({ now }: Pick<Ctx, 'now'>, title: string): string =>
  `${title}-${now.toISOString().slice(0, 10)}`;

const rowsAtOnce = 200;
// Finished lines cost the console almost nothing, but each fetch has overhead.
const linesAtOnce = 1000;
// Each export holds a connection while its client reads; the rest of the pool must stay free for requests.
const maxAtOnce = 4;
const retryAfterSeconds = 10;
let running = 0;

/**
 * Exports a list as a file. The audit log records the caller, the filter and the number of rows before the
 * first row is sent.
 */
export async function exportTable<Row>(ctx: Ctx, table: TableExport<Row>): Promise<FileAnswer> {
  const { format, action, filter, title, header, total } = table;
  if (running >= maxAtOnce) throw new DomainError('platform.busy', 503, { retryAfter: retryAfterSeconds });
  if (format === 'xlsx' && total > maxSheetRows)
    throw new DomainError('platform.sheet_too_long', 422, { most: maxSheetRows }, ['format']);
  const { actor, language, requestId } = ctx;
  await unitOfWork(ctx.app, { actor, language, requestId }, async (unit) =>
    unit.audit(action, undefined, { format, filter, rows: total }),
  );
  const body = snapshotRows<string | Uint8Array>(ctx.app.database.kysely, (transaction) =>
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
 * Reads one snapshot. It takes a connection at the first read and returns it after the last, or when the
 * client disconnects; a client that stops reading loses the connection (pool.ts).
 */
async function* snapshotRows<T>(
  db: Kysely<unknown>,
  read: (transaction: Kysely<unknown>) => AsyncIterable<T>,
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
  transaction: Kysely<unknown>,
  { query, cells }: Rows<Row>,
): AsyncGenerator<readonly CsvCell[], void, void> {
  for await (const batch of fetched(transaction, query, rowsAtOnce))
    for (const row of batch) yield cells(row);
}

/** The text of a CSV file, in chunks. */
async function* csvFrom<Row>(
  transaction: Kysely<unknown>,
  table: Rows<Row>,
): AsyncGenerator<string, void, void> {
  const { header, lines } = table;
  if (lines === undefined) return yield* csvOf(header, rowsWithin(transaction, table));
  yield headOf(header);
  for await (const batch of fetched(transaction, lines, linesAtOnce))
    yield batch.map(({ line }) => line).join('');
}

/**
 * The rows of a statement in portions, from a transaction's snapshot. A transaction runs only one such
 * statement at a time.
 */
async function* fetched<Row>(
  transaction: Kysely<unknown>,
  query: RawBuilder<Row>,
  atOnce: number,
): AsyncGenerator<readonly Row[], void, void> {
  let fetching: Promise<{ rows: Row[] }> | undefined;
  try {
    await sql`declare exported no scroll cursor for ${query}`.execute(transaction);
    const fetchSome = (): Promise<{ rows: Row[] }> => {
      const batch = sql<Row>`fetch forward ${sql.lit(atOnce)} from exported`.execute(transaction);
      // The fetch may fail before the loop awaits it. The loop still gets the error; this handler only
      // prevents an unhandled rejection, which would end the process.
      batch.catch(() => undefined);
      return batch;
    };
    fetching = fetchSome();
    for (;;) {
      const rows: readonly Row[] = (await fetching).rows;
      // The database fetches the next rows while these are being sent.
      fetching = rows.length < atOnce ? undefined : fetchSome();
      if (rows.length > 0) yield rows;
      if (!fetching) return;
    }
  } finally {
    // After a disconnect the pending fetch must end before the connection is returned; its result or error is
    // not needed.
    await fetching?.catch(() => undefined);
  }
}

/** The rows of a statement in portions of a fixed size, from the snapshot of a 'snapshot' unit. */
export async function* portionsWithin<Row>(
  ctx: Ctx,
  query: RawBuilder<Row>,
  atOnce: number,
): AsyncGenerator<readonly Row[], void, void> {
  yield* fetched(ctx.db, query, atOnce);
  await sql`close exported`.execute(ctx.db);
}

/** A table as CSV text, from the snapshot of a 'snapshot' unit. */
export async function* csvWithin<Row>(ctx: Ctx, table: Rows<Row>): AsyncGenerator<string, void, void> {
  yield* csvFrom(ctx.db, table);
  await sql`close exported`.execute(ctx.db);
}
