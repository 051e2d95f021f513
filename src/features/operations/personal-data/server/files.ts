// The files of exports. Each is encrypted with its own key, which is stored encrypted in the database, so
// that neither the file store nor a copy of the database alone reveals an organization's data. Deleting the
// key makes the file unreadable.
import { randomBytes } from 'node:crypto';
import { filesIn } from '#platform/server/files/store/folder-files.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { newIdentity, readSealed, recipientOf, sealed } from '#platform/server/security/sealed-file.ts';
import { seal, unseal } from '#platform/server/security/sealing.ts';

export const archiveStore = filesIn('personal-data');

const purpose = 'skytally personal data export';

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
  app: App,
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
  await archiveStore.write(app, name, sealed(measured(), [await recipientOf(identity)]), signal);
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
  const stored = await archiveStore.read(app, fileName);
  return stored && readSealed(stored, unseal(app, purpose, exportId, fileKey));
}
