// Runs npm in a folder with its own packages.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Runs the npm that belongs to the current Node, if there is one; its output is not shown, its errors are. */
export function npm(folder: string, ...words: string[]): void {
  const beside = join(dirname(process.execPath), 'npm');
  execFileSync(existsSync(beside) ? beside : 'npm', words, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
