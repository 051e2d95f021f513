// The files of month packs in the data directory: only the console's operating-system user can read them, and
// their names are random.
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { App } from '#platform/server/unit-of-work/ctx.ts';

const folderOf = (app: App): string => join(app.config.dataDir, 'packs');

/** A random file name, so that it cannot be guessed. */
export const newFileName = (): string => `${randomBytes(20).toString('hex')}.zip`;

/**
 * Writes a file and answers its length in bytes after it was flushed to disk. The partial file of a failed
 * write is removed.
 */
export async function writePack(
  app: App,
  name: string,
  bytes: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<number> {
  await mkdir(folderOf(app), { recursive: true, mode: 0o700 });
  const path = join(folderOf(app), name);
  try {
    await pipeline(Readable.from(bytes), createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }), {
      signal,
    });
    return (await stat(path)).size;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** The bytes of a file; undefined when it is not there. */
export async function readPack(app: App, name: string): Promise<AsyncIterable<Uint8Array> | undefined> {
  const path = join(folderOf(app), name);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return found && createReadStream(path, { highWaterMark: 65_536 });
}

/** The names of all existing files. */
export async function packFileNames(app: App): Promise<string[]> {
  return readdir(folderOf(app)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

/** Removes files; a missing one is no error. */
export async function removePackFiles(app: App, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(folderOf(app), name), { force: true });
}
