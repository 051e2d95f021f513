// The installation's secrets, generated at the first start: stored in the database, encrypted with
// SECRET_KEY; or, without SECRET_KEY, in two files of the data directory that only their owner can read.
import { createHmac, generateKeyPairSync, hkdfSync, randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import * as z from 'zod/mini';
import type { Config } from '../config.ts';
import { newIdentity, recipientOf } from './sealed-file.ts';
import { insertSecrets, replaceSecrets, storedSecrets, type StoredSecrets } from './store-secrets.ts';
import { decrypted, encrypted } from './encryption.ts';
import { StartRefused } from '../start-refused.ts';
import { hasCode } from '../system-error.ts';

/** File names in the data directory. */
export const secretsFile = 'secrets.json';
export const backupKeyFile = 'backup.key';

const keysShape = z.object({ accessTokenKey: z.string(), setupToken: z.string(), licenceKey: z.string() });
const shape = z.extend(keysShape, { backupKey: z.string() });

/**
 * `accessTokenKey` signs access tokens (32 bytes, base64url); `setupToken` opens the setup wizard once;
 * `licenceKey` signs license files (Ed25519, PKCS 8 in PEM); `backupKey` decrypts the backups (an age
 * identity).
 */
export type Secrets = z.output<typeof shape>;

type Place = Pick<Config, 'dataDir' | 'secretKey'>;
type Connection = Pick<pg.ClientBase, 'query'>;

/**
 * Reads the secrets of a database's installation; undefined when it has none yet. The tables need not exist
 * yet.
 * @throws StartRefused when SECRET_KEY or the files belong to another installation, or others can read the
 * files; the message says how to fix that.
 */
export async function findSecrets(db: Connection, place: Place): Promise<Secrets | undefined> {
  return secretsAt(await storedSecrets(db), place);
}

async function secretsAt(
  stored: StoredSecrets | undefined,
  { dataDir, secretKey }: Place,
): Promise<Secrets | undefined> {
  if (secretKey !== undefined) {
    if (stored === undefined) return undefined;
    if (stored.sealed === null)
      throw new StartRefused(
        `The secrets of this database are in the files ${secretsFile} and ${backupKeyFile} of a data directory. Where they are, run: SECRET_KEY=… npm run cli -- secrets seal. It moves them into the database; then start with the same SECRET_KEY.`,
      );
    return opened(stored.sealed, secretKey);
  }
  if (stored !== undefined && stored.sealed !== null)
    throw new StartRefused(
      'The secrets of this database are sealed with a SECRET_KEY. Set SECRET_KEY to the one of the other consoles.',
    );
  const own = await readFiles(dataDir);
  if (stored === undefined) return own;
  if (own === undefined)
    throw new StartRefused(
      `The database has an installation whose secrets are not in ${dataDir}. Put its ${secretsFile} and ${backupKeyFile} there, or set SECRET_KEY on all consoles (docs/operator/operations.md). If they are lost, run: npm run cli -- secrets renew`,
    );
  if (fingerprintOf(own) !== stored.fingerprint)
    throw new StartRefused(
      `${join(dataDir, secretsFile)} belongs to another installation than the database. Set DATA_DIR or DATABASE_URL so that they belong together; several consoles on one database share a SECRET_KEY (docs/operator/operations.md).`,
    );
  return own;
}

/**
 * Reads the installation's secrets, or generates them when it has none yet; consoles that start concurrently
 * on a new database all get the same. `isFilled` tells whether the database is already in use. Throws as
 * {@link findSecrets}.
 */
export async function openSecrets(
  db: Connection,
  place: Place,
  { now, isFilled }: { now: Date; isFilled: () => Promise<boolean> },
): Promise<Secrets> {
  const stored = await storedSecrets(db);
  const found = await secretsAt(stored, place);
  if (stored !== undefined && found !== undefined) return found;
  // The people, authenticators and licenses of this database depend on secrets stored elsewhere; new ones
  // would lock them out.
  if (place.secretKey !== undefined && (await isFilled()))
    throw new StartRefused(
      `The database has an installation whose secrets are in the files ${secretsFile} and ${backupKeyFile} of a data directory. Start it there once without SECRET_KEY, run: SECRET_KEY=… npm run cli -- secrets seal, and start with the same SECRET_KEY.`,
    );
  const made =
    found ??
    (place.secretKey === undefined
      ? await makeFiles(place.dataDir)
      : ((await readFiles(place.dataDir)) ?? (await make())));
  await insertSecrets(db, storedForm(made, place.secretKey), now);
  const settled = await findSecrets(db, place);
  if (settled === undefined) throw new Error('the secrets were stored and are not there');
  return settled;
}

/**
 * Moves the secrets of the data directory into the database, or re-encrypts those already there, which
 * `formerKey` then decrypts. Returns whether anything changed.
 */
export async function sealSecrets(
  db: Connection,
  place: Place & { readonly secretKey: string },
  { now, formerKey }: { now: Date; formerKey: string | undefined },
): Promise<boolean> {
  const stored = await storedSecrets(db);
  if (stored !== undefined && stored.sealed !== null) {
    const secrets = formerKey === undefined ? undefined : opened(stored.sealed, formerKey);
    // Safe to repeat: what this key already decrypts is left unchanged.
    if (secrets === undefined) {
      opened(stored.sealed, place.secretKey);
      return false;
    }
    await replaceSecrets(db, storedForm(secrets, place.secretKey), now);
    return true;
  }
  const own = await secretsAt(stored, { dataDir: place.dataDir, secretKey: undefined });
  if (own === undefined)
    throw new StartRefused(
      `There is no ${secretsFile} in ${place.dataDir}. Set DATA_DIR to the folder that the console has used.`,
    );
  await replaceSecrets(db, storedForm(own, place.secretKey), now);
  return true;
}

/**
 * Makes `secrets` those of this database: from a restored backup, or new ones for lost ones. Without
 * SECRET_KEY, the caller must write their files as well.
 */
export async function putSecrets(
  db: Connection,
  secrets: Secrets,
  secretKey: string | undefined,
  now: Date,
): Promise<void> {
  await replaceSecrets(db, storedForm(secrets, secretKey), now);
}

/** Replaces lost secrets by new ones, stored as the settings say: everybody must sign in again. */
export async function renewSecrets(db: Connection, { dataDir, secretKey }: Place, now: Date): Promise<void> {
  const secrets = secretKey === undefined ? await makeFiles(dataDir) : await make();
  await putSecrets(db, secrets, secretKey, now);
}

const purpose = 'installation secrets';
const keyOf = (secretKey: string): Buffer => Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32));

/** Distinguishes installations without revealing anything about the secrets. */
const fingerprintOf = ({ accessTokenKey }: Pick<Secrets, 'accessTokenKey'>): string =>
  createHmac('sha256', Buffer.from(accessTokenKey, 'base64url')).update('fingerprint').digest('base64url');

const storedForm = (secrets: Secrets, secretKey: string | undefined): StoredSecrets => ({
  fingerprint: fingerprintOf(secrets),
  sealed: secretKey === undefined ? null : encrypted(keyOf(secretKey), purpose, JSON.stringify(secrets)),
});

function opened(sealed: Buffer, secretKey: string): Secrets {
  let text: string;
  try {
    text = decrypted(keyOf(secretKey), purpose, sealed);
  } catch (cause) {
    throw new StartRefused(
      'This SECRET_KEY does not open the secrets of this database. Set the one that its other consoles have, or point DATABASE_URL at the database that belongs to this key.',
      { cause },
    );
  }
  return z.parse(shape, JSON.parse(text));
}

async function make(): Promise<Secrets> {
  return {
    accessTokenKey: randomBytes(32).toString('base64url'),
    setupToken: randomBytes(24).toString('base64url'),
    licenceKey: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    backupKey: await newIdentity(),
  };
}

/** The secrets as files by name, as stored in a data directory and in a backup. */
export async function secretFilesOf(secrets: Secrets): Promise<Readonly<Record<string, string>>> {
  const { backupKey, ...keys } = secrets;
  return {
    [secretsFile]: JSON.stringify(keys),
    [backupKeyFile]: await backupKeyText(backupKey),
  };
}

/** The file in the form that the `age` program accepts (`age --decrypt --identity backup.key`). */
const backupKeyText = async (backupKey: string): Promise<string> =>
  `# Opens the backups of this console. Keep a copy elsewhere.\n# public key: ${await recipientOf(backupKey)}\n${backupKey}\n`;

/** Parses the secrets from files by name, as made by {@link secretFilesOf}. Throws when they are incomplete. */
export function secretsInFiles(files: Readonly<Record<string, string>>, source: string): Secrets {
  return {
    ...z.parse(keysShape, JSON.parse(files[secretsFile] ?? '')),
    backupKey: identityIn(files[backupKeyFile] ?? '', join(source, backupKeyFile)),
  };
}

async function makeFiles(dataDir: string): Promise<Secrets> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const files = await secretFilesOf(await make());
  // The backup key comes first, so that if the other file exists, both do.
  for (const name of [backupKeyFile, secretsFile]) writeOnce(join(dataDir, name), files[name] ?? '');
  const made = await readFiles(dataDir);
  if (made === undefined) throw new Error(`${join(dataDir, secretsFile)} was written and is not there`);
  return made;
}

/**
 * Reads the secrets of a data directory; undefined when it has none. A backup key that does not exist yet is
 * generated now.
 */
async function readFiles(dataDir: string): Promise<Secrets | undefined> {
  if (!isThere(join(dataDir, secretsFile))) return undefined;
  const backupKeyPath = join(dataDir, backupKeyFile);
  if (!isThere(backupKeyPath)) writeOnce(backupKeyPath, await backupKeyText(await newIdentity()));
  const files = [secretsFile, backupKeyFile].map((name) => [name, readOwn(join(dataDir, name))] as const);
  return secretsInFiles(Object.fromEntries(files), dataDir);
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/**
 * Writes a file that only its owner can read, unless it exists: of two processes that start concurrently,
 * exactly one writes it.
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

/** Reads a file that nobody but its owner may be able to read; otherwise throws and says how to fix that. */
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
 * The key in a text: its only line that is not a comment. `source` says where the text comes from, for the
 * error message.
 */
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
