// Where the console keeps whole files (backups, month packs, changed sentences): a folder, or a bucket that every console reaches.
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';

/** A file as a list names it. `bytes` is its length. */
export type StoredFile = { readonly name: string; readonly bytes: number };

/** Whole files by name; names are relative, with `/` between folders. */
export type FileStore = {
  /** The place in words: a path, or `s3://bucket/prefix`. */
  readonly place: string;
  /**
   * Stores a file whole or not at all, in place of one of the same name, and answers its length in bytes when it is durable.
   * An abort or a failure leaves no file of that name that was not there before.
   * @throws FilesUnavailable when a bucket refuses or cannot be reached; the file system's own errors for a folder.
   */
  readonly write: (name: string, content: AsyncIterable<Uint8Array>, signal?: AbortSignal) => Promise<number>;
  /** The bytes of a file; undefined when there is none of that name. Throws as `write` does. */
  readonly read: (name: string) => Promise<AsyncIterable<Uint8Array> | undefined>;
  /** The files in a folder and below it (`''`: all), in the order of their names. Throws as `write` does. */
  readonly list: (folder: string) => Promise<StoredFile[]>;
  /** Resolves when the place can be used now. Throws as `write` does. */
  readonly check: () => Promise<void>;
  /** Removes files; one that is not there is no error. Throws as `write` does. */
  readonly remove: (names: readonly string[]) => Promise<void>;
  /**
   * Removes what writers that were killed left of unfinished files in a folder. `isAbandoned` is asked for each by the name that it
   * would have had: one that somebody still writes must stay. Throws as `write` does.
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
