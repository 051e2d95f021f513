// Zip archives generated while they are sent: each entry is compressed as it is read, and only its size is
// kept.
import { once } from 'node:events';
import { addAbortSignal, Readable } from 'node:stream';
import type ZipStream from 'zip-stream';
import { asError } from '#kernel/errors.ts';

/** A file in the archive: text that is streamed and compressed, or bytes that are stored uncompressed. */
export type ZipEntry = {
  readonly name: string;
  readonly content: Iterable<string> | AsyncIterable<string> | Uint8Array;
};

// The earliest date that the format supports; fixed, so that the same files always give the same archive.
const firstDay = new Date(Date.UTC(1980, 0, 1));
const packingLevel = 6;

/** Yields the archive's bytes, of any size and number of files. A reader that stops also ends the entries' sources. */
export async function* zipOf(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
): AsyncGenerator<Buffer, void, void> {
  // Loaded with the first archive, because starting the console needs none.
  const { default: Archive } = await import('zip-stream');
  const archive = new Archive({ level: packingLevel });
  const readerLeft = new AbortController();
  const filling = fill(archive, entries, readerLeft.signal).catch((error: unknown) => {
    archive.destroy(asError(error));
  });
  try {
    for await (const piece of archive) yield piece;
  } finally {
    readerLeft.abort();
    await filling;
  }
}

/** Adds the entries one by one; the next is taken when the previous one has been read. */
async function fill(
  archive: ZipStream,
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
  signal: AbortSignal,
): Promise<void> {
  for await (const { name, content } of entries) {
    const isStored = content instanceof Uint8Array;
    const source = isStored
      ? Buffer.from(content.buffer, content.byteOffset, content.byteLength)
      : addAbortSignal(signal, Readable.from(content, { objectMode: false }));
    await new Promise<void>((done, failed) => {
      const leave = (): void => failed(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
      archive.entry(source, { name, date: firstDay, store: isStored }, (error) => {
        signal.removeEventListener('abort', leave);
        if (error) failed(error);
        else done();
      });
    });
    // The library does not apply back-pressure by itself.
    if (archive.writableNeedDrain) await once(archive, 'drain', { signal });
  }
  archive.finish();
}
