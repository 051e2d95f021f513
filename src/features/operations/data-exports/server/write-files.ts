// Writes the files of a run one after the other from one snapshot, compressed and hashed as a stream, never
// whole in memory.
import { createHash } from 'node:crypto';
import { pipeline, Readable, Transform } from 'node:stream';
import { createGzip } from 'node:zlib';
import { writeText } from '#platform/server/files/store/file-store.ts';
import { failPoint } from '#platform/server/fail-point.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { version } from '#platform/server/version.ts';
import { columnTypes } from '#features/operations/personal-data/server/index.ts';
import { eventFile, eventSpan, eventsTable, tableFile } from '../rules.ts';
import type { Destination } from './destination.ts';
import type { RunProgress, WrittenRun } from './store.ts';
import {
  beginReading,
  eventDays,
  eventLines,
  tableLines,
  type FileColumn,
  type TableLines,
} from './store-rows.ts';

/**
 * A file as listed in the manifest: `rows` without the header, `bytes` and `sha256` of the compressed file.
 */
type WrittenFile = {
  readonly table: string;
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
};
export type RunOrder = {
  readonly folder: string;
  readonly tables: readonly string[];
  /** The arrival time up to which an earlier run has exported events; null when there is none. */
  readonly eventsAfter: Date | null;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: RunProgress) => void;
};
/** The totals of a run and its manifest, which is not written yet. */
export type Written = { readonly run: WrittenRun; readonly manifest: string };

/** Writes one file. `onRows` is called with the number of rows of each portion. */
async function writeFile(
  { store, base }: Destination,
  { table, file, lines }: { readonly table: string; readonly file: string; readonly lines: TableLines },
  signal: AbortSignal,
  onRows: (count: number) => void,
): Promise<WrittenFile> {
  let rows = 0;
  let unread: unknown;
  async function* text(): AsyncGenerator<string, void, void> {
    yield lines.header;
    try {
      for await (const portion of lines.portions()) {
        signal.throwIfAborted();
        rows += portion.length;
        onRows(portion.length);
        yield portion.map(({ line }) => line).join('');
      }
    } catch (error) {
      unread = error;
      throw error;
    }
  }
  const hash = createHash('sha256');
  let bytes = 0;
  const packed = new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      hash.update(piece);
      bytes += piece.length;
      done(null, piece);
    },
  });
  // An error in any stage destroys `packed`, from which the store reads. The rows' cursor must be closed
  // before the next file is read.
  const read = Promise.withResolvers<void>();
  pipeline(Readable.from(text()), createGzip(), packed, () => read.resolve());
  try {
    await store.write(base + file, packed, signal);
  } catch (error) {
    // The store reports any end of its input as its own failure; when the database failed, that is the error
    // to throw.
    throw unread ?? error;
  } finally {
    packed.destroy();
    await read.promise;
  }
  return { table, file, rows, bytes, sha256: hash.digest('hex') };
}

/** Writes all files of a run except its manifest. `ctx` must be of a snapshot transaction. */
export async function writeFiles(
  ctx: Ctx,
  destination: Destination,
  { folder, tables, eventsAfter, signal, onProgress }: RunOrder,
): Promise<Written> {
  const { readFrom, schema } = await beginReading(ctx);
  const types = await columnTypes(ctx);
  const whole = tables.filter((name) => name !== eventsTable);
  const span = tables.includes(eventsTable) ? eventSpan(ctx.now, eventsAfter) : undefined;
  const days = span ? await eventDays(ctx, span) : [];
  const columns: Record<string, readonly FileColumn[]> = {};
  const written: WrittenFile[] = [];
  let rowsDone = 0;
  const progress = (): RunProgress => ({
    filesDone: written.length,
    filesTotal: whole.length + days.length,
    rowsDone,
  });
  const write = async (table: string, file: string, lines: TableLines): Promise<void> => {
    signal.throwIfAborted();
    failPoint(ctx.app, `data-export: ${file}`);
    columns[table] = lines.columns;
    onProgress(progress());
    written.push(
      await writeFile(destination, { table, file, lines }, signal, (count) => {
        rowsDone += count;
        onProgress(progress());
      }),
    );
  };
  for (const table of whole) await write(table, tableFile(folder, table), tableLines(ctx, types, table));
  if (span)
    for (const each of days)
      await write(
        eventsTable,
        eventFile(each.day, each.isLate ? span.after : null),
        eventLines(ctx, types, each, span),
      );
  const manifest = {
    format: 'skytally nightly export 1',
    version,
    schema,
    snapshotAt: ctx.now.toISOString(),
    readFrom,
    folder: `runs/${folder}`,
    // Complete days of events; earlier days are in the manifests of earlier runs.
    events: span && { arrivedAfter: span.after, arrivedUntil: span.through, daysBefore: span.daysEnd },
    tables: Object.entries(columns).map(([table, described]) => ({
      table,
      columns: described,
      files: written
        .filter((each) => each.table === table)
        .map(({ file, rows, bytes, sha256 }) => ({ file, rows, bytes, sha256 })),
    })),
  };
  return {
    run: {
      ...progress(),
      bytes: written.reduce((sum, { bytes }) => sum + bytes, 0),
      snapshotAt: ctx.now,
      readFrom,
      eventsThrough: span?.through ?? null,
    },
    manifest: `${JSON.stringify(manifest, undefined, 2)}\n`,
  };
}

/** Publishes a complete run: writes its manifest first, then the pointer to it. */
export async function publishRun(
  { store, base }: Destination,
  folder: string,
  { manifest, run }: Written,
): Promise<void> {
  await writeText(store, `${base}runs/${folder}/manifest.json`, manifest);
  const latest = { manifest: `runs/${folder}/manifest.json`, snapshotAt: run.snapshotAt.toISOString() };
  await writeText(store, `${base}latest.json`, `${JSON.stringify(latest, undefined, 2)}\n`);
}
