// Secrets in the database are encrypted with a key that the database does not hold.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { App } from '../unit-of-work/ctx.ts';

const ivBytes = 12;
const tagBytes = 16;
const keyOf = (app: App, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(app.secrets.accessTokenKey, 'base64url'), '', purpose, 32));

/**
 * Encrypts a secret, bound to its purpose and its owner's id, so that a copy in another row cannot be
 * decrypted.
 */
export function seal(app: App, purpose: string, ownerId: string, secret: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', keyOf(app, purpose), iv).setAAD(Buffer.from(ownerId));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/**
 * Decrypts a secret; throws when the bytes were not encrypted for this purpose and owner, or were changed.
 */
export function unseal(app: App, purpose: string, ownerId: string, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(app, purpose), sealed.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  }).setAAD(Buffer.from(ownerId));
  decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]).toString(
    'utf8',
  );
}
