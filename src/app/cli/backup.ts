// `npm run backup`: makes a backup now, whether or not the console is running, and proves it.
import { askForBackup } from '#features/operations/backups/server/index.ts';
import { CommandRefused } from './command-refused.ts';
import { defineBackup, type BackupOptions } from './options.ts';
import { exitFailed, runProgram } from './program.ts';
import { progressLine } from './progress.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { withApp } from './app.ts';

/** Makes a backup and reports the outcome; returns the exit status. */
export async function backup({ json = false }: BackupOptions, terminal: Terminal): Promise<number> {
  return withApp(terminal.config(), async (app) => {
    const line = progressLine(json);
    const made = await askForBackup(app, line.onProgress, new AbortController().signal);
    line.end();
    if (!made)
      throw new CommandRefused(
        'A backup is being made already. Wait until it is done, or stop it on the screen “Backups”.',
      );
    const path = made.fileName === null ? null : `${app.backupFiles.place}/${made.fileName}`;
    if (json) terminal.out(`${JSON.stringify({ ...made, path })}\n`);
    else
      terminal.out(
        made.state === 'done'
          ? `${path}\n${String(made.sizeBytes)} bytes, ${String(made.content?.rows)} rows: ${proofWords[made.proof ?? 'not_allowed']}\n`
          : `No backup was made. ${made.problem === null ? '' : app.translate('enUS', made.problem)}\n`,
      );
    for (const { what, expected, found } of made.differences)
      terminal.err(`  ${what}: expected ${expected}, found ${found}\n`);
    if (made.state !== 'done') return exitFailed;
    return made.proof === 'proven' ? 0 : 1;
  });
}

const proofWords = {
  proven: 'restored into a scratch database, every row is the same.',
  different: 'restored into a scratch database, and it is NOT the same.',
  not_allowed: 'not proven, since the database user may not create databases (alter role … createdb).',
} as const;

if (import.meta.main)
  process.exitCode = await runProgram(
    'npm run backup --',
    process.argv.slice(2),
    processTerminal,
    (program, run) =>
      defineBackup(program).action((options: BackupOptions) => run(() => backup(options, processTerminal))),
  );
