// The folder of backups: reading and removing files.
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#platform/server/config.ts';
import { hasCode } from '#platform/server/system-error.ts';

export const pathOf = (config: Config, fileName: string): string => join(config.backupDir, fileName);

/** The bytes of a backup's file; undefined when it is not there. */
export async function readFileOf(
  config: Config,
  fileName: string,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const path = pathOf(config, fileName);
  const found = await stat(path).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  return found && createReadStream(path, { highWaterMark: 65_536 });
}

/** Removes files; a missing one is no error. */
export async function removeFiles(config: Config, fileNames: readonly string[]): Promise<void> {
  for (const name of fileNames) await rm(pathOf(config, name), { force: true });
}
