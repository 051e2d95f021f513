// What an installation consists of besides its database: its secrets, and texts that the operator changed.
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readText, writeText, type FileStore } from './files/store/file-store.ts';
import { backupKeyFile, secretFilesOf, secretsFile, type Secrets } from './security/secrets.ts';

// Names are validated before anything is written: a foreign backup must not choose where files are written.
const namePattern = /^(secrets\.json|backup\.key|locales\/[A-Za-z]{2,8}\/[a-z]{1,40}\.json)$/;
const Installation = z.strictObject({ files: z.record(z.string().check(z.regex(namePattern)), z.string()) });
/** Small files by name: those of the secrets, wherever they are stored, and changed texts. */
export type Installation = z.output<typeof Installation>;

/** Reads the installation's files. */
export async function readInstallation(secrets: Secrets, files: FileStore): Promise<Installation> {
  const names = (await files.list('locales'))
    .map(({ name }) => name)
    .filter((name) => namePattern.test(name));
  const changed = await Promise.all(names.map(async (name) => [name, await readText(files, name)] as const));
  return {
    files: {
      ...(await secretFilesOf(secrets)),
      ...Object.fromEntries(changed.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]))),
    },
  };
}

/** Parses the installation stored in a backup. Throws when it contains any other file. */
export const installationOf = (content: unknown): Installation => z.parse(Installation, content);

/**
 * Writes the files of the secrets into a data directory. An existing file with different content is kept
 * beside it, under a name that ends in `backupSuffix`.
 */
export function writeSecretFiles(dataDir: string, { files }: Installation, backupSuffix: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  for (const name of [secretsFile, backupKeyFile]) {
    const content = files[name];
    if (content === undefined) continue;
    const path = join(dataDir, name);
    if (existsSync(path)) {
      if (readFileSync(path, 'utf8') === content) continue;
      renameSync(path, `${path}.${backupSuffix}`);
    }
    writeFileSync(path, content, { mode: 0o600, flush: true });
    chmodSync(path, 0o600);
  }
}

/**
 * Stores the changed texts. An existing file with different content is kept beside it, as in {@link
 * writeSecretFiles}.
 */
export async function writeChangedSentences(
  store: FileStore,
  { files }: Installation,
  backupSuffix: string,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    if (name === secretsFile || name === backupKeyFile) continue;
    const present = await readText(store, name);
    if (present === content) continue;
    if (present !== undefined) await writeText(store, `${name}.${backupSuffix}`, present);
    await writeText(store, name, content);
  }
}
