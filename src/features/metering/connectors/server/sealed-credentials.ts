// Credentials of something outside: sealed with the installation's key, opened only for connecting to it.
import * as z from 'zod/mini';
import { seal, unseal } from '#platform/server/security/sealing.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';

/** Seals and opens credentials of one shape. `purpose` keeps what was sealed for another use from being opened here. */
export function sealedCredentials<C extends { readonly kind: string }>(
  purpose: string,
  shape: z.ZodMiniType<C>,
): {
  /** The sealed form; null when there are none. */
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
