// Credentials for external systems: encrypted with the installation's key, decrypted only to connect.
import * as z from 'zod/mini';
import { seal, unseal } from '#platform/server/security/sealing.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';

/** Seals and opens credentials of one shape. `purpose` prevents opening what was sealed for another use. */
export function sealedCredentials<C extends { readonly kind: string }>(
  purpose: string,
  shape: z.ZodMiniType<C>,
): {
  /** Returns the sealed form; null if there are no credentials. */
  readonly seal: (app: App, ownerId: string, credentials: C) => Buffer | null;
  readonly open: (app: App, ownerId: string, sealed: Buffer | null) => C;
} {
  return {
    seal: (app, ownerId, credentials) =>
      credentials.kind === 'none' ? null : seal(app, purpose, ownerId, JSON.stringify(credentials)),
    open: (app, ownerId, sealed) =>
      z.parse(shape, sealed === null ? { kind: 'none' } : JSON.parse(unseal(app, purpose, ownerId, sealed))),
  };
}
