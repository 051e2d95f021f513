// Archived events as gzip-compressed CSV files (RFC 4180), one file per part.
import { createHash, type Hash } from 'node:crypto';
import { pipeline, Readable, Transform } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { parse } from 'csv-parse';
import * as z from 'zod/mini';
import type { BillingMonth } from '#kernel/shape.ts';
import { csvOf, figure, withoutGuard, type CsvCell } from '#platform/server/files/csv.ts';
import type { FileStore } from '#platform/server/files/store/file-store.ts';
import { yieldToEventLoop } from '#platform/server/jobs/yield-to-event-loop.ts';
import { ArchiveDamaged } from './archive-errors.ts';
import type { EventArchive } from './event-archive.ts';
import type { ArchivedRow, ArchivePart } from './store-archive.ts';

/** The columns of the files, in order. */
const columns = [
  'id',
  'source',
  'sourceId',
  'subscriptionId',
  'time',
  'value',
  'receivedAt',
  'keyId',
  'type',
  'properties',
  'voidsSourceId',
  'voids',
] as const satisfies readonly (keyof ArchivedRow)[];

const folderOf = (month: BillingMonth): string => `usage-archive/${month}`;

/** Returns the archive in the console's file store. */
export function fileArchive(files: FileStore): EventArchive {
  return {
    kind: 'files',
    isLatestFirst: false,
    write: async ({ archiveId, month, number }, events, signal) => {
      const name = `${folderOf(month)}/${archiveId}-${String(number).padStart(4, '0')}.csv.gz`;
      const hash = createHash('sha256');
      const packed = hashed(hash);
      // If one stage fails, the pipeline ends the last one, from which the store reads.
      pipeline(Readable.from(csvOf(columns, cellsOf(events))), createGzip(), packed, () => undefined);
      const bytes = await files.write(name, packed, signal);
      return { name, bytes, digest: hash.digest('hex') };
    },
    readPart: (part) => readFile(files, part),
    eventsOf: async function* ({ parts }, { subscriptionId, start, end }) {
      for (const part of parts)
        for await (const rows of readFile(files, part, subscriptionId))
          yield rows.filter(
            ({ time }) =>
              (start === null || new Date(time) >= start) && (end === null || new Date(time) < end),
          );
    },
    removeOthers: async ({ archiveId, month }, parts) => {
      const names = new Set(parts.map(({ name }) => name));
      const found = await files.list(folderOf(month));
      await files.remove(
        found
          .map(({ name }) => name)
          .filter((name) => name.startsWith(`${folderOf(month)}/${archiveId}-`) && !names.has(name)),
      );
    },
  };
}

/** Passes bytes through while hashing them. */
const hashed = (hash: Hash): Transform =>
  new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      hash.update(piece);
      done(null, piece);
    },
  });

async function* cellsOf(
  events: AsyncIterable<readonly ArchivedRow[]>,
): AsyncGenerator<readonly CsvCell[], void, void> {
  for await (const rows of events)
    for (const row of rows)
      yield columns.map((column): CsvCell => {
        const value = row[column];
        if (typeof value === 'number') return figure(String(value));
        return column === 'value' ? figure(row.value) : (value ?? '');
      });
}

const cell = z.pipe(z.string(), z.transform(withoutGuard));
const filled = z.pipe(
  cell,
  z.transform((text) => (text === '' ? null : text)),
);
const Row = z.object({
  id: cell,
  source: cell,
  sourceId: z.coerce.number(),
  subscriptionId: cell,
  time: z.string(),
  value: z.string(),
  receivedAt: z.string(),
  keyId: filled,
  type: filled,
  properties: filled,
  voidsSourceId: z.pipe(
    filled,
    z.transform((text) => (text === null ? null : Number(text))),
  ),
  voids: filled,
});
const rowsAtOnce = 1000;

/**
 * Yields the events of a file in portions, of one subscription if it is given. Whether the file is intact is
 * known only at its end.
 */
async function* readFile(
  files: FileStore,
  { name, digest }: Pick<ArchivePart, 'name' | 'digest'>,
  subscriptionId?: string,
): AsyncGenerator<ArchivedRow[], void, void> {
  const content = await files.read(name);
  if (!content) throw new ArchiveDamaged(name, 'it is not there');
  const hash = createHash('sha256');
  const parser = parse({ bom: true, columns: true });
  // An error also ends the parser, which reports it to the reader of the rows.
  pipeline(Readable.from(content), hashed(hash), createGunzip(), parser, () => undefined);
  let rows: ArchivedRow[] = [];
  try {
    let looked = 0;
    for await (const record of parser as AsyncIterable<Readonly<Record<string, string>>>) {
      if (subscriptionId === undefined || record['subscriptionId'] === subscriptionId)
        rows.push(z.parse(Row, record));
      looked += 1;
      if (looked % rowsAtOnce > 0) continue;
      yield rows;
      rows = [];
      await yieldToEventLoop();
    }
  } catch (error) {
    if (isDamage(error)) throw new ArchiveDamaged(name, error.message);
    throw error;
  }
  if (hash.digest('hex') !== digest) throw new ArchiveDamaged(name, 'it is not what was written');
  if (rows.length > 0) yield rows;
}

/**
 * Whether an error is caused by a file's content rather than by transport: an error of zlib or csv-parse, or
 * a row with an unexpected shape.
 */
const isDamage = (error: unknown): error is Error =>
  error instanceof Error &&
  (error instanceof z.core.$ZodError || ('code' in error && /^(Z_|CSV_)/.test(String(error.code))));
