// Secrets of this installation: made at first boot, kept in one file that only its owner can read.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

const shape = z.object({ accessTokenKey: z.string(), setupToken: z.string(), licenceKey: z.string() });

/**
 * `accessTokenKey` signs access tokens (32 bytes, base64url); `setupToken` opens the set-up wizard once;
 * `licenceKey` signs licence files (Ed25519, PKCS 8 in PEM).
 */
export type Secrets = z.output<typeof shape>;

/**
 * Reads the secrets of a data directory, making them at first.
 * Refuses a file that others can read, and says how to mend it.
 */
export function loadSecrets(dataDir: string): Secrets {
  const path = join(dataDir, 'secrets.json');
  if (!statSync(path, { throwIfNoEntry: false })) {
    const fresh: Secrets = {
      accessTokenKey: randomBytes(32).toString('base64url'),
      setupToken: randomBytes(24).toString('base64url'),
      licenceKey: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
    const draft = `${path}.${randomBytes(6).toString('hex')}`;
    writeFileSync(draft, JSON.stringify(fresh), { mode: 0o600, flag: 'wx' });
    chmodSync(draft, 0o600);
    try {
      // link() fails when the name exists: of two first starts exactly one makes the file.
      linkSync(draft, path);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  const mode = statSync(path).mode & 0o777;
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new Error(`${path} can be read by others (mode ${mode.toString(8)}). Run: chmod 600 ${path}`);
  }
  return z.parse(shape, JSON.parse(readFileSync(path, 'utf8')));
}
