// Gives every folder a name short enough to address a Unix socket inside it.
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// sun_path holds 108 bytes on Linux and 104 on macOS, its closing zero included.
const longestSocketPathBytes = 100;

/** A folder under a name that is short enough; `release()` gives the name up, and never touches the folder. */
export type SocketFolder = { path: string; release(): Promise<void> };

/**
 * Names `folder` (which must exist) so that the sockets in it, whose file names are at most
 * `nameBytes` long, can be bound and connected to. The sockets themselves always lie in the folder.
 *
 * Linux needs no file for it: an open folder is reachable as /proc/<pid>/fd/<n>, also by other processes
 * of the same user, for as long as this process lives. Elsewhere a link in a private temporary folder serves.
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
      // The number of a closed descriptor belongs to whoever opens something next: closed twice, it would be theirs.
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
