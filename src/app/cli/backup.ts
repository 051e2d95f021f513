// `npm run backup`: makes a backup here and now, whether the console runs or not, and proves it.
import { parseArgs } from 'node:util';
import { join } from 'node:path';
import { askForBackup } from '#features/operations/backups/server/index.ts';
import { ending, WrongWords } from './ending.ts';
import { couldNot } from './database.ts';
import { progressLine } from './progress.ts';
import { withApp } from './app.ts';

const help = `npm run backup [-- --json]

  Makes a backup in DATA_DIR/backups (or BACKUP_DIR), restores it into a scratch database and compares the two.
  Exit status: 0 made and proven; 1 made, but not proven or not the same; 2 not made.
`;

/** Makes a backup and says how it went; answers the exit status. */
export async function backup(words: string[]): Promise<number> {
  const { values } = parseArgs({
    args: words,
    options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  return withApp(async (app) => {
    const line = progressLine(values.json);
    const made = await askForBackup(app, line.tell, new AbortController().signal);
    line.end();
    if (!made)
      throw new WrongWords(
        'A backup is being made already. Wait until it is done, or stop it on the screen “Backups”.',
      );
    const path = made.fileName === null ? null : join(app.config.backupDir, made.fileName);
    if (values.json) process.stdout.write(`${JSON.stringify({ ...made, path })}\n`);
    else
      process.stdout.write(
        made.state === 'done'
          ? `${path}\n${String(made.sizeBytes)} bytes, ${String(made.content?.rows)} rows: ${proofWords[made.proof ?? 'not_allowed']}\n`
          : `No backup was made. ${made.problem === null ? '' : app.translate('enUS', made.problem)}\n`,
      );
    for (const { what, expected, found } of made.differences)
      process.stderr.write(`  ${what}: expected ${expected}, found ${found}\n`);
    if (made.state !== 'done') return couldNot;
    return made.proof === 'proven' ? 0 : 1;
  });
}

const proofWords = {
  proven: 'restored into a scratch database, every row is the same.',
  different: 'restored into a scratch database, and it is NOT the same.',
  not_allowed: 'not proven, since the database user may not create databases (alter role … createdb).',
} as const;

if (import.meta.main) await ending(() => backup(process.argv.slice(2)));
