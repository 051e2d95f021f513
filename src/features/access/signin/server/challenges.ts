// Challenges for passkeys: for one site and one browser, usable once, for a few minutes.
import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { parseJson } from '#kernel/parse-json.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { randomSecret } from '#features/access/identity/server/index.ts';
import { challengeMinutes } from '../rules.ts';
import { insertChallenge, takeChallenge } from './store-factors.ts';

const cookie = 'passkey';

/**
 * The relying party id of passkeys: the host of PUBLIC_URL, or else localhost. WebAuthn accepts only names,
 * so never 127.0.0.1.
 */
export function siteName(app: App): string {
  return app.config.publicUrl ? new URL(app.config.publicUrl).hostname : 'localhost';
}

const isOwnOrigin = (app: App, origin: string): boolean =>
  app.config.publicUrl
    ? origin === new URL(app.config.publicUrl).origin
    : /^http:\/\/localhost(:\d{1,5})?$/.test(origin);

/**
 * Creates a challenge for a browser to sign; the answer is accepted only with the cookie that the browser
 * gets here.
 */
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

/**
 * Uses up the challenge that a browser signed, and returns what the library must expect; undefined when it
 * was not issued here.
 */
export async function answeredChallenge(
  ctx: Ctx,
  clientDataJson: string,
  userId: string | null,
  reply: Reply,
): Promise<{ challenge: string; origin: string } | undefined> {
  const data = z.safeParse(ClientData, parseJson(Buffer.from(clientDataJson, 'base64url').toString('utf8')));
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
