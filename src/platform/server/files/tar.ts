// Tar archives of named entries, written and read with tar-stream; only the names and sizes that backups use
// are allowed.
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { extract, pack, type Pack } from 'tar-stream';
import { assert } from '#kernel/assert.ts';
import { asError } from '#kernel/errors.ts';

/** One entry of an archive. Names are ASCII, at most 100 characters. */
export type TarEntry = { readonly name: string; readonly content: Uint8Array };

/** The stream is not a tar archive, or is incomplete. */
export class NotTar extends Error {
  override readonly name = 'NotTar';
}

const block = 512;
const endLength = 2 * block;
const allowedName = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/i;
const longestName = 100;
/** The maximum size of an entry, so that no header can demand more memory than this. */
const maxPieceBytes = 64 * 1024 * 1024;

const isAllowed = (name: string, size: number): boolean =>
  allowedName.test(name) && !name.includes('..') && name.length <= longestName && size <= maxPieceBytes;

/**
 * Yields the archive's bytes. All entries are dated 1970 and readable by their owner only, so equal content
 * gives equal bytes.
 */
export async function* tarOf(entries: AsyncIterable<TarEntry>): AsyncGenerator<Uint8Array, void, void> {
  const archive = pack();
  const filling = fill(archive, entries).catch((error: unknown) => {
    archive.destroy(asError(error));
  });
  try {
    for await (const piece of archive) {
      assert(piece instanceof Uint8Array, 'tar-stream gives bytes');
      yield piece;
    }
  } finally {
    archive.destroy();
    await filling;
  }
}

async function fill(archive: Pack, entries: AsyncIterable<TarEntry>): Promise<void> {
  for await (const { name, content } of entries) {
    if (!isAllowed(name, content.length))
      throw new Error(`no piece of an archive can be ${name} of ${content.length} bytes`);
    const entry = archive.entry({ name, size: content.length, mode: 0o600, mtime: new Date(0) });
    entry.end(content);
    await once(entry, 'close');
  }
  archive.finalize();
}

/**
 * Reads an archive made by {@link tarOf}, plain files only. Throws {@link NotTar} for anything else,
 * including a truncated archive.
 */
export async function* entriesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry, void, void> {
  const archive = extract();
  let given = 0;
  let taken = 0;
  let failure: Error | undefined;
  const counted = async function* (): AsyncGenerator<Uint8Array, void, void> {
    try {
      for await (const piece of bytes) {
        given += piece.byteLength;
        yield piece;
      }
    } catch (error) {
      failure = asError(error);
      throw error;
    }
  };
  // The archive stream also reports an error to the reader of the entries.
  const reading = pipeline(counted, archive).catch(() => undefined);
  try {
    for await (const entry of archive) {
      const { name, size, type } = entry.header;
      if (type !== 'file' || !isAllowed(name, size))
        throw new NotTar('a header of the archive cannot be read');
      taken += block + Math.ceil(size / block) * block;
      yield { name, content: await buffer(entry) };
    }
  } catch (cause) {
    if (failure) throw failure;
    throw cause instanceof NotTar ? cause : new NotTar(asError(cause).message, { cause });
  } finally {
    archive.destroy();
    await reading;
  }
  // The library accepts an archive without its end marker, so truncation is detected here.
  if (given - taken < endLength) throw new NotTar('the archive has no end');
}
