// What browsers are asked to sign with a passkey: for one site, one browser, once, for some minutes.
import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { randomSecret } from '#features/access/identity/server/index.ts';
import { challengeMinutes } from '../rules.ts';
import { insertChallenge, takeChallenge } from './store-factors.ts';

const cookie = 'passkey';

/** The site passkeys belong to: PUBLIC_URL's name, else the machine itself. WebAuthn takes names only, so never 127.0.0.1. */
export function siteName(app: App): string {
  return app.config.publicUrl ? new URL(app.config.publicUrl).hostname : 'localhost';
}

const isOwnOrigin = (app: App, origin: string): boolean =>
  app.config.publicUrl
    ? origin === new URL(app.config.publicUrl).origin
    : /^http:\/\/localhost(:\d{1,5})?$/.test(origin);

/** Makes what a browser is to sign; the browser keeps a cookie without which the answer counts nothing. */
export async function newChallenge(
  ctx: Ctx,
  userId: string | null,
  reply: Reply,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = randomBytes(32);
  const browser = randomSecret();
  await insertChallenge(
    ctx,
    { hash: sha256(challenge.toString('base64url')), browserHash: sha256(browser), userId },
    new Date(ctx.now.getTime() + challengeMinutes * 60_000),
  );
  reply.setCookie(cookie, browser, challengeMinutes * 60);
  return new Uint8Array(challenge);
}

const ClientData = z.object({ challenge: z.string(), origin: z.string() });

/** Uses up the challenge that a browser signed: what the library is to expect, or undefined when it was not asked here. */
export async function answeredChallenge(
  ctx: Ctx,
  clientDataJson: string,
  userId: string | null,
  reply: Reply,
): Promise<{ challenge: string; origin: string } | undefined> {
  const data = z.safeParse(ClientData, parsed(Buffer.from(clientDataJson, 'base64url').toString('utf8')));
  const browser = reply.cookie(cookie);
  reply.clearCookie(cookie);
  if (!data.success || browser === undefined || !isOwnOrigin(ctx.app, data.data.origin)) return undefined;
  const { challenge, origin } = data.data;
  const isOurs = await takeChallenge(
    ctx.app.database.kysely,
    { hash: sha256(challenge), browserHash: sha256(browser), userId },
    ctx.now,
  );
  return isOurs ? { challenge, origin } : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Anything may be sent; what is no JSON fits no schema either.
    return undefined;
  }
}
