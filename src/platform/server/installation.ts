// What makes an installation besides its database: its secrets, its backup key, and sentences that the operator changed.
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { backupKeyFile, secretsFile } from './security/secrets.ts';

// Names are looked at before anything is written: a file of somebody else must not choose where its parts go.
const namePattern = /^(secrets\.json|backup\.key|locales\/[A-Za-z]{2,8}\/[a-z]{1,40}\.json)$/;
const Installation = z.strictObject({ files: z.record(z.string().check(z.regex(namePattern)), z.string()) });
/** Small files of a data directory, by their names in it. */
export type Installation = z.output<typeof Installation>;

/** Reads what is there. */
export function readInstallation(dataDir: string): Installation {
  const names = [secretsFile, backupKeyFile, ...globSync('locales/*/*.json', { cwd: dataDir })]
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => namePattern.test(name) && existsSync(join(dataDir, name)));
  return {
    files: Object.fromEntries(names.map((name) => [name, readFileSync(join(dataDir, name), 'utf8')])),
  };
}

/** What a backup holds of it. Throws when it names anything else. */
export const installationOf = (content: unknown): Installation => z.parse(Installation, content);

/** Writes the files into a data directory. One that is there and says something else is kept beside it, under a name that ends in `backupSuffix`. */
export function writeInstallation(dataDir: string, { files }: Installation, backupSuffix: string): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(dataDir, name);
    if (existsSync(path)) {
      if (readFileSync(path, 'utf8') === content) continue;
      renameSync(path, `${path}.${backupSuffix}`);
    }
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, content, { mode: 0o600, flush: true });
    chmodSync(path, 0o600);
  }
}
