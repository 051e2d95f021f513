// A folder below IMPORT_DIR. Symbolic links are followed only while they stay below it.
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { hasCode } from '../../system-error.ts';
import {
  assertOutsideName,
  atMost,
  OutsideUnavailable,
  type OutsideAccess,
  type OutsideFile,
  type OutsideFiles,
  type OutsideFolder,
} from './outside-files.ts';

const pieceBytes = 256 * 1024;

/**
 * Reads the files of a folder and its subfolders. Every call fails with `folders_closed` unless the operator
 * set IMPORT_DIR.
 */
export function outsideFolder(
  { path }: OutsideFolder,
  { importDir, mostFiles }: Pick<OutsideAccess, 'importDir' | 'mostFiles'>,
): OutsideFiles {
  /** The real path of the folder, which must be inside the real IMPORT_DIR. */
  const rootOf = async (): Promise<string> => {
    if (importDir === undefined) throw new OutsideUnavailable('folders_closed', 'IMPORT_DIR');
    assertOutsideName(path);
    return within(resolve(importDir), path);
  };
  return {
    list: async (prefix, signal) => {
      const root = await rootOf();
      const found: OutsideFile[] = [];
      const folders = [root];
      for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
        signal.throwIfAborted();
        for (const entry of await readdir(folder, { withFileTypes: true }).catch(failed(path))) {
          const at = join(folder, entry.name);
          // A link can be read by name; following links while listing could loop.
          if (entry.isDirectory()) folders.push(at);
          else if (entry.isFile()) {
            const name = relative(root, at).replaceAll('\\', '/');
            if (!name.startsWith(prefix)) continue;
            if (found.length >= mostFiles) throw new OutsideUnavailable('too_many_files', String(mostFiles));
            const about = await stat(at).catch(failed(name));
            found.push({
              name,
              bytes: about.size,
              modifiedAt: about.mtime,
              mark: `${about.size}-${about.mtimeMs}`,
            });
          }
        }
      }
      return found.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    },
    read: (name, maxBytes, signal) => atMost(piecesOf(rootOf, name, signal), maxBytes, name),
    close: () => {},
  };
}

async function* piecesOf(
  rootOf: () => Promise<string>,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  assertOutsideName(name);
  const file = await open(await within(await rootOf(), name), 'r').catch(failed(name));
  try {
    // Reading a device or a pipe could block forever.
    if (!(await file.stat()).isFile()) throw new OutsideUnavailable('not_found', name);
    const buffer = Buffer.allocUnsafe(pieceBytes);
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, pieceBytes).catch(failed(name));
      if (bytesRead === 0) return;
      yield Buffer.from(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/**
 * The real path of a name below a folder. @throws OutsideUnavailable when it does not exist, or links lead
 * out of the folder
 */
async function within(folder: string, name: string): Promise<string> {
  const root = await realpath(folder).catch(failed(name));
  const found = await realpath(join(root, ...name.split('/'))).catch(failed(name));
  if (found !== root && !found.startsWith(root.endsWith(sep) ? root : root + sep))
    throw new OutsideUnavailable('path', name);
  return found;
}

const failed =
  (name: string) =>
  (error: unknown): never => {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) throw new OutsideUnavailable('not_found', name, error);
    if (hasCode(error, 'EACCES', 'EPERM')) throw new OutsideUnavailable('credentials', name, error);
    throw error;
  };
