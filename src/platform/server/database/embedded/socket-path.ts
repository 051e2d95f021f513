// Gives any folder a path short enough for Unix socket addresses.
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// sun_path holds 108 bytes on Linux and 104 on macOS, including the terminating zero.
const longestSocketPathBytes = 100;

/** A folder under a short path; `release()` gives up the path, and never touches the folder. */
export type SocketFolder = { path: string; release(): Promise<void> };

/**
 * Finds a path for `folder` (which must exist) under which sockets with file names of at most `nameBytes`
 * bytes can be bound and connected to. The sockets themselves are always in the folder.
 *
 * Linux needs no file for this: an open folder is reachable as /proc/<pid>/fd/<n>, also by other processes of
 * the same user, for as long as this process lives. Other systems use a link in a private temporary folder.
 */
export async function socketFolder(folder: string, nameBytes: number): Promise<SocketFolder> {
  if (Buffer.byteLength(folder) + 1 + nameBytes <= longestSocketPathBytes) {
    return { path: folder, release: async () => {} };
  }
  if (process.platform === 'linux') {
    const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
    let isOpen = true;
    return {
      path: `/proc/${process.pid}/fd/${descriptor}`,
      // The number of a closed descriptor is reused by whatever is opened next; closing it twice would close
      // that.
      release: async () => {
        if (isOpen) closeSync(descriptor);
        isOpen = false;
      },
    };
  }
  const privateFolder = await mkdtemp(join(tmpdir(), 'st-'));
  await symlink(folder, join(privateFolder, 's'));
  return {
    path: join(privateFolder, 's'),
    release: () => rm(privateFolder, { recursive: true, force: true }),
  };
}
