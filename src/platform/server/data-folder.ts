// Checks the data directory before anything is started in it.
import { mkdtempSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { asError } from '#kernel/errors.ts';
import { StartRefused } from './start-refused.ts';
import { writeAdvice } from './write-advice.ts';

/**
 * @throws StartRefused when this process's user cannot create files in `dataDir`, such as in a folder mounted
 * into a container.
 */
export function assertWritable(dataDir: string): void {
  try {
    rmdirSync(mkdtempSync(join(dataDir, '.writable-')));
  } catch (error) {
    const reason = asError(error).message;
    throw new StartRefused(
      `The console cannot make files in its data directory ${dataDir}: ${reason}. ${
        writeAdvice(reason, dataDir) ?? 'Set DATA_DIR to another directory.'
      }`,
      { cause: error },
    );
  }
}
