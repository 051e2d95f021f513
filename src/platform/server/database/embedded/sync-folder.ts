// Makes a rename last: the folder that holds the name is written to the disk.
import { open } from 'node:fs/promises';

/** Waits until the names in a folder are on the disk. Windows has no such thing and does it by itself. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
