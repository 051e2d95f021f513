// Seeds of authenticators at rest: encrypted with a key that the database does not hold.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { World } from '#platform/server/ctx.ts';

const ivBytes = 12;
const tagBytes = 16;
const keyOf = (world: World): Buffer => Buffer.from(hkdfSync('sha256', Buffer.from(world.secrets.accessTokenKey, 'base64url'), '', 'skytally authenticator seeds', 32));

/** Encrypts a person's seed; bound to the person, so that nobody can give theirs to another row. */
export function sealSeed(world: World, userId: string, seed: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', keyOf(world), iv).setAAD(Buffer.from(userId));
  const sealed = Buffer.concat([cipher.update(seed, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Reads a person's seed; throws when the bytes are not what was sealed for them. */
export function openSeed(world: World, userId: string, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(world), sealed.subarray(0, ivBytes), { authTagLength: tagBytes }).setAAD(Buffer.from(userId));
  decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
}
