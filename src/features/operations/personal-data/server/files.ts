// The files of exports. Each is encrypted with its own key, which is stored encrypted in the database, so
// that neither the file store nor a copy of the database alone reveals an organization's data. Deleting the
// key makes the file unreadable.
import { randomBytes } from 'node:crypto';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { newIdentity, readSealed, recipientOf, sealed } from '#platform/server/security/sealed-file.ts';
import { seal, unseal } from '#platform/server/security/sealing.ts';

const folder = 'personal-data';
const purpose = 'skytally personal data export';
const nameIn = (fileName: string): string => `${folder}/${fileName}`;
const nameOf = (stored: string): string => stored.slice(folder.length + 1);

/**
 * A random file name with the key of the file, in plain text for its writer and encrypted for the database.
 */
export async function newFile(
  app: App,
  exportId: string,
): Promise<{ readonly name: string; readonly identity: string; readonly key: Buffer }> {
  const identity = await newIdentity();
  return {
    name: `${randomBytes(20).toString('hex')}.zip.age`,
    identity,
    key: seal(app, purpose, exportId, identity),
  };
}

/**
 * Stores an archive encrypted, completely or not at all, and returns its length in bytes after decryption.
 */
export async function writeExport(
  { files }: App,
  { name, identity }: { readonly name: string; readonly identity: string },
  bytes: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<number> {
  let length = 0;
  async function* measured(): AsyncGenerator<Buffer, void, void> {
    for await (const piece of bytes) {
      length += piece.length;
      yield piece;
    }
  }
  await files.write(nameIn(name), sealed(measured(), [await recipientOf(identity)]), signal);
  return length;
}

/**
 * The bytes of an archive; undefined when its file does not exist. Throws SealBroken, at the end at the
 * latest, when it was changed.
 */
export async function readExport(
  app: App,
  exportId: string,
  { fileName, fileKey }: { readonly fileName: string; readonly fileKey: Buffer },
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const stored = await app.files.read(nameIn(fileName));
  return stored && readSealed(stored, unseal(app, purpose, exportId, fileKey));
}

/** The names of all existing files. */
export async function exportFileNames({ files }: App): Promise<string[]> {
  return (await files.list(folder)).map(({ name }) => nameOf(name));
}

/** Removes a file; a missing one is no error. */
export const removeExportFile = ({ files }: App, fileName: string): Promise<void> =>
  files.remove([nameIn(fileName)]);

/** Removes files and partial files, except those in `retained`. */
export async function removeExportFiles(
  { files }: App,
  existing: readonly string[],
  retained: ReadonlySet<string>,
): Promise<void> {
  await files.remove(existing.filter((name) => !retained.has(name)).map(nameIn));
  await files.removeUnfinished(folder, (stored) => !retained.has(nameOf(stored)));
}
