// The installation's secrets: generated at the first start, in one file that only its owner can read.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { newIdentity, recipientOf } from './sealed-file.ts';
import { StartRefused } from '../start-refused.ts';
import { hasCode } from '../system-error.ts';

/** Names in the data directory. */
export const secretsFile = 'secrets.json';
export const backupKeyFile = 'backup.key';

const shape = z.object({ accessTokenKey: z.string(), setupToken: z.string(), licenceKey: z.string() });

/**
 * `accessTokenKey` signs access tokens (32 bytes, base64url); `setupToken` opens the set-up wizard once;
 * `licenceKey` signs licence files (Ed25519, PKCS 8 in PEM).
 */
export type Secrets = z.output<typeof shape>;

/**
 * Reads the secrets of a data directory, and generates them at first. Throws when other users can read the
 * file, and says how to fix that.
 */
export function loadSecrets(dataDir: string): Secrets {
  const path = join(dataDir, secretsFile);
  const made = (): string =>
    JSON.stringify({
      accessTokenKey: randomBytes(32).toString('base64url'),
      setupToken: randomBytes(24).toString('base64url'),
      licenceKey: generateKeyPairSync('ed25519')
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
    } satisfies Secrets);
  if (!isThere(path)) writeOnce(path, made());
  return secretsIn(readOwn(path));
}

/** The secrets in a file's text. */
export const secretsIn = (text: string): Secrets => z.parse(shape, JSON.parse(text));

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/**
 * Writes a file that only its owner can read, unless it exists: of two processes that start at once, exactly
 * one writes it.
 */
function writeOnce(path: string, content: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true });
  chmodSync(draft, 0o600);
  try {
    // link() fails when the name exists.
    linkSync(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Reads a file that only its owner may be able to read; otherwise throws and says how to fix that. */
function readOwn(path: string): string {
  const mode = statSync(path).mode & 0o777;
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new StartRefused(
      `${path} can be read by others (mode ${mode.toString(8)}). Run: chmod 600 ${path}`,
    );
  }
  return readFileSync(path, 'utf8');
}

/**
 * The key that decrypts this installation's backups, generated at first. The `age` program can use its file
 * (`age --decrypt --identity backup.key`).
 */
export async function loadBackupKey(dataDir: string): Promise<string> {
  const path = join(dataDir, backupKeyFile);
  if (!isThere(path)) {
    const identity = await newIdentity();
    writeOnce(
      path,
      `# Opens the backups of this console. Keep a copy elsewhere.\n# public key: ${await recipientOf(identity)}\n${identity}\n`,
    );
  }
  return identityIn(readOwn(path), path);
}

/** The key in a text: the only line that is no comment. `source` says where the text comes from. */
export function identityIn(text: string, source: string): string {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const [identity = ''] = lines;
  if (lines.length !== 1 || !/^AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}$/.test(identity))
    throw new StartRefused(
      `${source} holds no recovery key: one line that begins with AGE-SECRET-KEY-1. Copy the key again, whole.`,
    );
  return identity;
}
