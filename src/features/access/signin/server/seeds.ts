// Encryption of authenticator seeds at rest.
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { seal, unseal } from '#platform/server/security/sealing.ts';

const purpose = 'skytally authenticator seeds';

/** Encrypts a person's seed, bound to the person, so that it cannot be copied to another row. */
export const sealSeed = (app: App, userId: string, seed: string): Buffer => seal(app, purpose, userId, seed);

/** Decrypts a person's seed; throws when the bytes were not encrypted for them. */
export const openSeed = (app: App, userId: string, sealed: Buffer): string =>
  unseal(app, purpose, userId, sealed);
