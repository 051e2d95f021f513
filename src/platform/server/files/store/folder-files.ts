// The files of one folder of the console's store, by their names in it.
import type { FileStore } from './file-store.ts';

type WithFiles = { readonly files: FileStore };

export type FolderFiles = {
  /** Stores a file completely or not at all, and returns its length in bytes. */
  readonly write: (
    app: WithFiles,
    name: string,
    bytes: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ) => Promise<number>;
  /** The bytes of a file; undefined when it does not exist. */
  readonly read: (app: WithFiles, name: string) => Promise<AsyncIterable<Uint8Array> | undefined>;
  /** The names of all existing files. */
  readonly names: (app: WithFiles) => Promise<string[]>;
  /** Removes a file; a missing one is no error. */
  readonly remove: (app: WithFiles, name: string) => Promise<void>;
  /** Removes files and partial files, except those in `retained`. */
  readonly removeExcept: (
    app: WithFiles,
    existing: readonly string[],
    retained: ReadonlySet<string>,
  ) => Promise<void>;
};

export function filesIn(folder: string): FolderFiles {
  const nameIn = (name: string): string => `${folder}/${name}`;
  const nameOf = (stored: string): string => stored.slice(folder.length + 1);
  return {
    write: ({ files }, name, bytes, signal) => files.write(nameIn(name), bytes, signal),
    read: ({ files }, name) => files.read(nameIn(name)),
    names: async ({ files }) => (await files.list(folder)).map(({ name }) => nameOf(name)),
    remove: ({ files }, name) => files.remove([nameIn(name)]),
    removeExcept: async ({ files }, existing, retained) => {
      await files.remove(existing.filter((name) => !retained.has(name)).map(nameIn));
      await files.removeUnfinished(folder, (stored) => !retained.has(nameOf(stored)));
    },
  };
}
