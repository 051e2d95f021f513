// Reads zip archives of any length by their directory; shares no code with the one that writes them.
import type { Readable } from 'node:stream';
import { openPromise, type Entry } from 'yauzl';

export type ArchivedFile = { readonly name: string; readonly entry: Entry };

/** An archive whose files can be read one by one; close it at the end. */
export type Archive = {
  readonly files: readonly ArchivedFile[];
  readonly read: (file: ArchivedFile) => Promise<Readable>;
  readonly close: () => void;
};

/** Opens an archive. Throws when it is none, or truncated. */
export async function openArchive(path: string): Promise<Archive> {
  const archive = await openPromise(path, { lazyEntries: true, autoClose: false });
  try {
    const files: ArchivedFile[] = [];
    for await (const entry of archive.eachEntry()) files.push({ name: entry.fileName, entry });
    return {
      files,
      read: ({ entry }) => archive.openReadStreamPromise(entry),
      close: () => archive.close(),
    };
  } catch (error) {
    archive.close();
    throw error;
  }
}
