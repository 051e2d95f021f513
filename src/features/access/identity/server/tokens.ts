// Random secrets, stored only as SHA-256 digests; and short-lived signed access tokens.
import { createHmac, randomBytes } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Id } from '#kernel/ids.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { accessTokenMinutes } from '../rules.ts';

/** 32 unpredictable bytes as text. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

const issuer = 'skytally';
const keyOf = (app: App): Uint8Array => Buffer.from(app.secrets.accessTokenKey, 'base64url');

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);

/**
 * Signs claims (RFC 7515, HS256) synchronously: a library based on Web Crypto moves each signature to another
 * thread, which costs more than the signature itself.
 */
function signed(
  app: App,
  typ: string,
  claims: Readonly<Record<string, string>>,
  now: Date,
  expiresAt: Date,
): string {
  const text = `${encoded({ alg: 'HS256', typ })}.${encoded({ ...claims, iss: issuer, aud: issuer, iat: seconds(now), exp: seconds(expiresAt) })}`;
  return `${text}.${createHmac('sha256', keyOf(app)).update(text).digest('base64url')}`;
}

/** Signs an access token for one session. */
export function signAccessToken(
  app: App,
  userId: Id<'usr'>,
  sessionId: Id<'ses'>,
  now: Date,
): { token: string; expiresAt: Date } {
  const expiresAt = new Date(now.getTime() + accessTokenMinutes * 60_000);
  return { token: signed(app, 'at+jwt', { sid: sessionId, sub: userId }, now, expiresAt), expiresAt };
}

/** A different token type from a session's, so that code that expects a session token rejects it. */
const viewType = 'view+jwt';

/**
 * Signs a token with which an Admin reads as another user; it names the Admin and ends with the view at the
 * latest.
 */
export function signViewToken(
  app: App,
  { adminId, sessionId, viewId }: { adminId: Id<'usr'>; sessionId: Id<'ses'>; viewId: Id<'vas'> },
  now: Date,
  expiresAt: Date,
): string {
  return signed(app, viewType, { sid: sessionId, view: viewId, sub: adminId }, now, expiresAt);
}

type ReadToken = {
  readonly userId: string;
  readonly sessionId: string;
  readonly expiresAtMs: number;
  /** Set on a token with which its user, an Admin, views as another user. */
  readonly viewId?: string;
};

/**
 * Tokens with a verified signature: a browser sends the same one for minutes. Every request still checks
 * whether the session is open.
 */
const goodTokens = new LRUCache<string, ReadToken>({ max: 10_000 });

/** Returns the session of an access token; undefined when its signature is wrong or it has expired. */
export async function readAccessToken(app: App, token: string): Promise<ReadToken | undefined> {
  // The cache key includes the signing key, so that a token of another installation in the same process is
  // never accepted.
  const name = `${app.secrets.accessTokenKey} ${token}`;
  const known = goodTokens.get(name);
  if (known) return known.expiresAtMs > app.clock.now().getTime() ? known : undefined;
  const read = await verifyAccessToken(app, token);
  if (read) goodTokens.set(name, read);
  return read;
}

async function verifyAccessToken(app: App, token: string): Promise<ReadToken | undefined> {
  try {
    const isView = decodeProtectedHeader(token).typ === viewType;
    const { payload } = await jwtVerify(token, keyOf(app), {
      algorithms: ['HS256'],
      typ: isView ? viewType : 'at+jwt',
      issuer,
      audience: issuer,
      requiredClaims: ['exp', 'iat', 'sub', 'sid', ...(isView ? ['view'] : [])],
      currentDate: app.clock.now(),
    });
    const { sub, exp, sid, view } = payload;
    if (
      typeof sub !== 'string' ||
      typeof sid !== 'string' ||
      exp === undefined ||
      (isView && typeof view !== 'string')
    )
      return undefined;
    return {
      userId: sub,
      sessionId: sid,
      expiresAtMs: exp * 1000,
      ...(isView && typeof view === 'string' && { viewId: view }),
    };
  } catch {
    // Every invalid token gets the same result: the client must sign in again.
    return undefined;
  }
}
