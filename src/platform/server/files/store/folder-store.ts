// Stores files in a folder on this machine, readable only by the console's operating-system user.
import { randomBytes } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { dirname, join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '../../database/embedded/sync-folder.ts';
import { hasCode } from '../../system-error.ts';
import { assertFileName, type FileStore, type StoredFile } from './file-store.ts';

/** The suffix of a file that is being written: nobody reads it, and it is renamed once it is complete and on disk. */
const draftEnding = '.draft';
const draftPattern = /\.[\da-f]{8}\.draft$/;
const pieceBytes = 256 * 1024;

/** Stores files below `root`, which is created at the first write. */
export function folderStore(root: string): FileStore {
  const pathOf = (name: string): string => {
    assertFileName(name);
    return join(root, ...name.split('/'));
  };
  const all = async (folder: string): Promise<StoredFile[]> => {
    const start = folder === '' ? root : pathOf(folder);
    const names = (await pathsBelow(start))
      .map((path) => relative(root, path).replaceAll('\\', '/'))
      .toSorted();
    const found = await Promise.all(
      names.map(async (name) => ({ name, bytes: (await sizeOf(join(root, name))) ?? -1 })),
    );
    // Files that were removed between the two steps are not listed.
    return found.filter(({ bytes }) => bytes >= 0);
  };
  return {
    place: root,
    write: async (name, content, signal) => {
      const path = pathOf(name);
      const draft = `${path}.${randomBytes(4).toString('hex')}${draftEnding}`;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      try {
        await pipeline(
          Readable.from(content, { objectMode: false }),
          createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
          { signal },
        );
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      await syncFolder(dirname(path));
      return (await stat(path)).size;
    },
    read: async (name) => {
      const file = createReadStream(pathOf(name), { highWaterMark: pieceBytes });
      // A missing file is reported while the stream opens, when nobody else listens for errors yet.
      try {
        await once(file, 'open');
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return undefined;
        throw error;
      }
      return file;
    },
    list: async (folder) => (await all(folder)).filter(({ name }) => !name.endsWith(draftEnding)),
    check: async () => {
      await mkdir(root, { recursive: true, mode: 0o700 });
      await access(root, constants.W_OK);
    },
    remove: async (names) => {
      for (const name of names) await rm(pathOf(name), { force: true });
    },
    removeUnfinished: async (folder, isAbandoned) => {
      for (const { name } of await all(folder))
        if (name.endsWith(draftEnding) && isAbandoned(name.replace(draftPattern, '')))
          await rm(join(root, name), { force: true });
    },
  };
}

async function pathsBelow(folder: string): Promise<string[]> {
  try {
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    return found.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
