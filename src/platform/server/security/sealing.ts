// Encrypts secrets in the database with a key that the database does not hold.
import { hkdfSync } from 'node:crypto';
import type { App } from '../unit-of-work/ctx.ts';
import { decrypted, encrypted } from './encryption.ts';

const keyOf = (app: App, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(app.secrets.accessTokenKey, 'base64url'), '', purpose, 32));

/** Encrypts a secret, bound to its purpose and its owner's id, so that a copy in another row cannot be decrypted. */
export const seal = (app: App, purpose: string, ownerId: string, secret: string): Buffer =>
  encrypted(keyOf(app, purpose), ownerId, secret);

/** Decrypts a secret; throws when the bytes were not encrypted for this purpose and owner, or were modified. */
export const unseal = (app: App, purpose: string, ownerId: string, sealed: Buffer): string =>
  decrypted(keyOf(app, purpose), ownerId, sealed);
