// Makes renames durable by flushing the containing folder to disk.
import { open } from 'node:fs/promises';

/** Waits until the names in a folder are on disk. Windows has no such call and needs none. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
