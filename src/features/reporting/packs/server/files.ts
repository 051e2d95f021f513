// The files of month packs, with random names that cannot be guessed.
import { randomBytes } from 'node:crypto';
import type { App } from '#platform/server/unit-of-work/ctx.ts';

const folder = 'packs';
const nameIn = (fileName: string): string => `${folder}/${fileName}`;
const nameOf = (stored: string): string => stored.slice(folder.length + 1);

/** A random file name, so that it cannot be guessed. */
export const newFileName = (): string => `${randomBytes(20).toString('hex')}.zip`;

/** Stores a file completely or not at all, and returns its length in bytes. */
export const writePack = (
  { files }: App,
  fileName: string,
  bytes: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<number> => files.write(nameIn(fileName), bytes, signal);

/** The bytes of a file; undefined when it does not exist. */
export const readPack = ({ files }: App, fileName: string): Promise<AsyncIterable<Uint8Array> | undefined> =>
  files.read(nameIn(fileName));

/** The names of all existing files. */
export async function packFileNames({ files }: App): Promise<string[]> {
  return (await files.list(folder)).map(({ name }) => nameOf(name));
}

/** Removes a file; a missing one is no error. */
export const removePack = ({ files }: App, fileName: string): Promise<void> =>
  files.remove([nameIn(fileName)]);

/** Removes files and partial files, except those in `retained`. */
export async function removePackFiles(
  { files }: App,
  existing: readonly string[],
  retained: ReadonlySet<string>,
): Promise<void> {
  await files.remove(existing.filter((name) => !retained.has(name)).map(nameIn));
  await files.removeUnfinished(folder, (stored) => !retained.has(nameOf(stored)));
}
