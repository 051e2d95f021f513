// A file of archived events as it is read: unpacked and parsed piece by piece, and compared with what was noted when it was written.
import { createHash } from 'node:crypto';
import { pipeline, Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import * as z from 'zod/mini';
import { withoutGuard } from '#platform/server/files/csv.ts';
import type { FileStore } from '#platform/server/files/store/file-store.ts';
import { yieldToEventLoop } from '#platform/server/jobs/yield-to-event-loop.ts';
import type { ArchivedRow, ArchivePart } from './store-archive.ts';

/** A file of archived events is gone or was changed. */
export class ArchiveDamaged extends Error {
  override readonly name = 'ArchiveDamaged';
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
 * The events of a file, some at a time; of one subscription when it is named.
 * @throws ArchiveDamaged at its end, when it is not what was written, or at once when it is not there; FilesUnavailable when the store of
 * files cannot be reached.
 */
export async function* readArchive(
  files: FileStore,
  { fileName, sha256 }: Pick<ArchivePart, 'fileName' | 'sha256'>,
  subscriptionId?: string,
): AsyncGenerator<ArchivedRow[], void, void> {
  const content = await files.read(fileName);
  if (!content) throw new ArchiveDamaged(`there is no ${fileName}`);
  const hash = createHash('sha256');
  const hashed = new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      hash.update(piece);
      done(null, piece);
    },
  });
  const parser = parse({ bom: true, columns: true });
  // An error also ends the parser, which reports it to the reader of the rows.
  pipeline(Readable.from(content), hashed, createGunzip(), parser, () => undefined);
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
    if (isDamage(error)) throw new ArchiveDamaged(`${fileName} cannot be read: ${error.message}`);
    throw error;
  }
  if (hash.digest('hex') !== sha256) throw new ArchiveDamaged(`${fileName} is not the file that was written`);
  if (rows.length > 0) yield rows;
}

/** Whether a file's content is the reason, not the way to it: zlib's and csv-parse's errors, or a row of another shape. */
const isDamage = (error: unknown): error is Error =>
  error instanceof Error &&
  (error instanceof z.core.$ZodError || ('code' in error && /^(Z_|CSV_)/.test(String(error.code))));
