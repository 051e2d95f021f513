// The console's store for whole files (backups, month packs, changed sentences): a folder, or a bucket that
// every console can access.
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';

/** A listed file. `bytes` is its size. */
export type StoredFile = { readonly name: string; readonly bytes: number };

/** Whole files by name; names are relative, with `/` between folders. */
export type FileStore = {
  /** The place as shown to people: a path, or `s3://bucket/prefix`. */
  readonly place: string;
  /**
   * Stores a file atomically, replacing one of the same name, and returns its size in bytes once it is
   * durable. After an abort or a failure, there is no new file of that name.
   * @throws FilesUnavailable when a bucket refuses or cannot be reached; the file system's own errors for a
   * folder.
   */
  readonly write: (name: string, content: AsyncIterable<Uint8Array>, signal?: AbortSignal) => Promise<number>;
  /** Streams a file; undefined when there is none of that name. Throws as `write` does. */
  readonly read: (name: string) => Promise<AsyncIterable<Uint8Array> | undefined>;
  /** The files in a folder and its subfolders (`''`: all), sorted by name. Throws as `write` does. */
  readonly list: (folder: string) => Promise<StoredFile[]>;
  /** Resolves when the store is usable now. Throws as `write` does. */
  readonly check: () => Promise<void>;
  /** Removes files; missing files are ignored. Throws as `write` does. */
  readonly remove: (names: readonly string[]) => Promise<void>;
  /**
   * Removes unfinished files that killed writers left in a folder. `isAbandoned` is called with the final
   * name of each; files that are still being written must stay. Throws as `write` does.
   */
  readonly removeUnfinished: (folder: string, isAbandoned: (name: string) => boolean) => Promise<void>;
};

/** The text of a small file; undefined when there is none of that name. */
export async function readText(files: FileStore, name: string): Promise<string | undefined> {
  const content = await files.read(name);
  return content && textOf(content);
}

/** Stores a small file. */
export async function writeText(files: FileStore, name: string, text: string): Promise<void> {
  await files.write(name, Readable.from([Buffer.from(text)]));
}

const namePattern = /^[\w.+=-]+(\/[\w.+=-]+)*$/;

/** Throws when a name could lead out of its store. */
export function assertFileName(name: string): void {
  if (!namePattern.test(name) || name.split('/').some((part) => /^\.+$/.test(part)))
    throw new Error(`no name of a stored file: ${JSON.stringify(name)}`);
}
