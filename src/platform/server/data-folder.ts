// Checks the data directory before anything is started in it.
import { mkdtempSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefused } from './start-refused.ts';
import { asError } from './system-error.ts';

/**
 * @throws StartRefused when this process's user cannot create files in `dataDir`, such as in a folder mounted
 * into a container.
 */
export function assertWritable(dataDir: string): void {
  try {
    rmdirSync(mkdtempSync(join(dataDir, '.writable-')));
  } catch (error) {
    const user = process.geteuid === undefined ? '' : `, ${process.geteuid()}`;
    throw new StartRefused(
      `The console cannot make files in its data directory ${dataDir}: ${asError(error).message}. The directory must belong to the user that runs the console${user}; or set DATA_DIR to another one.`,
      { cause: error },
    );
  }
}
