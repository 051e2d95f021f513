// Looks up the API key of a secret, in one statement for all requests of the same moment.
import type { Actor, App } from '#platform/server/unit-of-work/ctx.ts';
import { cachedReads } from '#platform/server/database/cached-reads.ts';
import { keyInForceById, keysInForce, markKeysUsed, type FoundKey } from './store-keys.ts';

const usedMarkEveryMs = 60_000;

/** Keys in force, by the digest of their secret in hexadecimal. */
const keys = cachedReads(findKeys);

/**
 * The actor of an API key, by the digest of its secret, or of the previous one while it overlaps. A key that
 * this console process has revoked is refused at once; one that another process has revoked may be accepted
 * for another 100 ms (the lifetime of cached reads). Its last use is stored at most once a minute.
 */
export async function actorOfKey(app: App, digest: Buffer): Promise<Actor | undefined> {
  const key = await keys(app).load(digest.toString('hex'));
  // The cached row may be older than the key's expiry.
  if (!key || (key.validUntil && key.validUntil <= app.clock.now())) return undefined;
  return actorOf(key);
}

/**
 * Who the key of an id stands for while it is in force, for callers that another system has admitted (an outside broker's
 * access list). Its last use is marked at most once a minute.
 */
export async function activeKeyActor(app: App, keyId: string): Promise<KeyActor | undefined> {
  const now = app.clock.now();
  const db = app.database.kysely;
  const key = await keyInForceById(db, keyId, now);
  if (!key) return undefined;
  if (mayBeMarked(key, now)) await markKeysUsed(db, [key.id], now);
  return actorOf(key);
}

type KeyActor = Extract<Actor, { kind: 'apiKey' }>;
const actorOf = (key: Pick<FoundKey, 'id' | 'scope' | 'organizationId' | 'name'>): KeyActor => ({
  kind: 'apiKey',
  keyId: key.id,
  scope: key.scope,
  organizationId: key.organizationId,
  name: key.name,
});
const mayBeMarked = ({ lastUsedAt }: Pick<FoundKey, 'lastUsedAt'>, now: Date): boolean =>
  !lastUsedAt || now.getTime() - lastUsedAt.getTime() > usedMarkEveryMs;

async function findKeys(app: App, digests: readonly string[]): Promise<(FoundKey | undefined)[]> {
  const now = app.clock.now();
  const db = app.database.kysely;
  const found = await keysInForce(
    db,
    digests.map((digest) => Buffer.from(digest, 'hex')),
    now,
  );
  const toMark = found.filter((key) => mayBeMarked(key, now));
  if (toMark.length > 0)
    await markKeysUsed(
      db,
      toMark.map(({ id }) => id),
      now,
    );
  const byDigest = new Map(found.map((key) => [key.digest.toString('hex'), key]));
  return digests.map((digest) => byDigest.get(digest));
}
