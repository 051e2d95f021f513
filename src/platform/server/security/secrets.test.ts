import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { atFileEnd } from '#tests/support/clean-up.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import {
  findSecrets,
  openSecrets,
  putSecrets,
  renewSecrets,
  sealSecrets,
  secretFilesOf,
  secretsInFiles,
} from './secrets.ts';

const now = new Date('2026-11-26T00:00:00Z');
const [key, otherKey] = ['q7Jm2vX0sT9bKd4wZr6nYf1cHp8gLa3e', 'another-key-of-32-letters-0123456789'];
const empty = { now, isFilled: async () => false };
const filled = { now, isFilled: async () => true };

const { pool } = await createTestDatabase();
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'skytally-secrets-'));
  atFileEnd(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
let folder: string;
beforeEach(async () => {
  folder = newFolder();
  await pool.query('delete from installation_secrets');
});
const inFiles = (dataDir = folder) => ({ dataDir, secretKey: undefined });
const sealedWith = (secretKey: string, dataDir = newFolder()) => ({ dataDir, secretKey });

describe('2.J-159 the installation’s secrets in files', () => {
  it('are created once, accessible to their owner only, and never half written', async () => {
    const first = await openSecrets(pool, inFiles(), empty);
    expect(await openSecrets(pool, inFiles(), filled)).toEqual(first);
    expect(await findSecrets(pool, inFiles())).toEqual(first);
    expect(readdirSync(folder).toSorted()).toEqual(['backup.key', 'secrets.json']);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });
  it('are shared with a console that started at the same time in the same folder', async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => openSecrets(pool, inFiles(), empty)));
    for (const each of opened) expect(each).toEqual(opened[0]);
  });
  it('get a recovery key if an earlier release had not created one', async () => {
    const { backupKey, ...keys } = await openSecrets(pool, inFiles(), empty);
    rmSync(join(folder, 'backup.key'));
    const again = await openSecrets(pool, inFiles(), filled);
    expect(again).toMatchObject(keys);
    expect(again.backupKey).toMatch(/^AGE-SECRET-KEY-1/);
    expect(again.backupKey).not.toBe(backupKey);
  });
  it.each([0o640, 0o604, 0o660, 0o666, 0o620])(
    'are not used when others can access them (mode %o): the start fails with advice',
    async (mode) => {
      await openSecrets(pool, inFiles(), empty);
      chmodSync(join(folder, 'secrets.json'), mode);
      await expect(findSecrets(pool, inFiles())).rejects.toThrow(`chmod 600 ${join(folder, 'secrets.json')}`);
    },
  );
  it('are never created again over an unreadable file', async () => {
    writeFileSync(join(folder, 'secrets.json'), '{"accessTokenKey":', { mode: 0o600 });
    await expect(openSecrets(pool, inFiles(), empty)).rejects.toThrow();
    expect(statSync(join(folder, 'secrets.json')).size).toBe(18);
  });
  it('of another installation are rejected, and none are created beside a database that has its own', async () => {
    const own = await openSecrets(pool, inFiles(), empty);
    const other = newFolder();
    await expect(openSecrets(pool, inFiles(other), filled)).rejects.toThrow('secrets renew');
    expect(readdirSync(other)).toEqual([]);
    for (const [name, text] of Object.entries(await secretFilesOf({ ...own, accessTokenKey: 'b3RoZXI' })))
      writeFileSync(join(other, name), text, { mode: 0o600 });
    await expect(openSecrets(pool, inFiles(other), filled)).rejects.toThrow(
      'belongs to another installation',
    );
    expect(await openSecrets(pool, inFiles(), filled)).toEqual(own);
  });
  it('of two folders that start at once on one database: one is the installation’s, the other is rejected', async () => {
    const begun = await Promise.allSettled(
      Array.from({ length: 6 }, () => openSecrets(pool, inFiles(newFolder()), empty)),
    );
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('the installation’s secrets encrypted with SECRET_KEY', () => {
  it('are the same for all consoles that start at once, and leave nothing in a folder', async () => {
    const folders = Array.from({ length: 8 }, newFolder);
    const opened = await Promise.all(folders.map((each) => openSecrets(pool, sealedWith(key, each), empty)));
    for (const each of opened) expect(each).toEqual(opened[0]);
    expect(folders.flatMap((each) => readdirSync(each))).toEqual([]);
    expect(await openSecrets(pool, sealedWith(key), filled)).toEqual(opened[0]);
  });
  it('cannot be read without the key, and a changed byte is detected', async () => {
    const secrets = await openSecrets(pool, sealedWith(key), empty);
    const { rows } = await pool.query<{ sealed: Buffer; fingerprint: string }>(
      'select fingerprint, sealed from installation_secrets',
    );
    const [row] = rows;
    for (const secret of Object.values(secrets)) {
      expect(row?.sealed.includes(secret)).toBe(false);
      expect(row?.fingerprint).not.toContain(secret);
    }
    await pool.query(
      'update installation_secrets set sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40))',
    );
    await expect(findSecrets(pool, sealedWith(key))).rejects.toThrow('does not open the secrets');
  });
  it('are rejected with another key or none, and neither changes anything', async () => {
    const secrets = await openSecrets(pool, sealedWith(key), empty);
    await expect(openSecrets(pool, sealedWith(otherKey), filled)).rejects.toThrow(
      'does not open the secrets',
    );
    await expect(openSecrets(pool, inFiles(), filled)).rejects.toThrow('Set SECRET_KEY');
    expect(readdirSync(folder)).toEqual([]);
    expect(await openSecrets(pool, sealedWith(key), filled)).toEqual(secrets);
  });
  it('are not created again for a database in use whose secrets are elsewhere', async () => {
    await expect(openSecrets(pool, sealedWith(key), filled)).rejects.toThrow('secrets seal');
    await openSecrets(pool, inFiles(), empty);
    await expect(openSecrets(pool, sealedWith(key), filled)).rejects.toThrow('secrets seal');
  });
  it('are moved out of files by one command, which is safe to repeat', async () => {
    const own = await openSecrets(pool, inFiles(), empty);
    const move = { now, formerKey: undefined };
    await expect(sealSecrets(pool, sealedWith(key), move)).rejects.toThrow('secrets renew');
    expect(await sealSecrets(pool, sealedWith(key, folder), move)).toBe(true);
    expect(await sealSecrets(pool, sealedWith(key, folder), move)).toBe(false);
    await expect(sealSecrets(pool, sealedWith(otherKey, folder), move)).rejects.toThrow('does not open');
    expect(await openSecrets(pool, sealedWith(key), filled)).toEqual(own);
    await expect(openSecrets(pool, inFiles(), filled)).rejects.toThrow('Set SECRET_KEY');
  });
  it('of a release that did not store their fingerprint are moved, too', async () => {
    const own = await openSecrets(pool, inFiles(), empty);
    await pool.query('delete from installation_secrets');
    expect(await sealSecrets(pool, sealedWith(key, folder), { now, formerKey: undefined })).toBe(true);
    expect(await openSecrets(pool, sealedWith(key), filled)).toEqual(own);
  });
  it('get another key when the former one is given', async () => {
    const own = await openSecrets(pool, sealedWith(key), empty);
    expect(await sealSecrets(pool, sealedWith(otherKey), { now, formerKey: key })).toBe(true);
    expect(await openSecrets(pool, sealedWith(otherKey), filled)).toEqual(own);
    await expect(openSecrets(pool, sealedWith(key), filled)).rejects.toThrow('does not open');
  });
  it('are replaced when they are lost, in the database and in files', async () => {
    const lost = await openSecrets(pool, sealedWith(key), empty);
    await renewSecrets(pool, sealedWith(otherKey), now);
    const renewed = await openSecrets(pool, sealedWith(otherKey), filled);
    for (const name of ['accessTokenKey', 'setupToken', 'licenceKey', 'backupKey'] as const)
      expect(renewed[name]).not.toBe(lost[name]);
    await renewSecrets(pool, inFiles(), now);
    expect((await openSecrets(pool, inFiles(), filled)).accessTokenKey).not.toBe(renewed.accessTokenKey);
  });
  it('of a backup become those of the database, as files and encrypted', async () => {
    const own = await openSecrets(pool, inFiles(), empty);
    const files = await secretFilesOf(own);
    expect(secretsInFiles(files, 'a backup')).toEqual(own);
    for (const [name, text] of Object.entries(files))
      expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
    await putSecrets(pool, own, otherKey, now);
    expect(await findSecrets(pool, sealedWith(otherKey))).toEqual(own);
    await putSecrets(pool, own, undefined, now);
    expect(await findSecrets(pool, inFiles())).toEqual(own);
  });
});
