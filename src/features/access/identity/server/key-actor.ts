// Looks up the API key of a secret, in one statement for all concurrent requests.
import type { Actor, App } from '#platform/server/unit-of-work/ctx.ts';
import { batchedReads, cachedReads } from '#platform/server/database/cached-reads.ts';
import {
  keyInForceById,
  keysInForce,
  markKeysUsed,
  peopleOfKeys,
  type FoundKey,
  type PersonByKey,
} from './store-keys.ts';

const usedMarkEveryMs = 60_000;

/** Active keys, by the hex digest of their secret. */
const keys = cachedReads(findKeys);
/** Never cached: a change of the person or the key, on any console, applies at the next call. */
const people = batchedReads(async (app, ids) => {
  const found = await peopleOfKeys(app.database.kysely, ids, app.clock.now());
  const byId = new Map<string, PersonByKey>(found.map((actor) => [actor.key.keyId, actor]));
  return ids.map((id) => byId.get(id));
});

/**
 * Returns the actor of an API key by the digest of its secret, or of the previous secret while it overlaps. A
 * key that this process has revoked is rejected at once; one that another process has revoked may be accepted
 * for another 100 ms (the lifetime of cached reads). Its last use is stored at most once a minute.
 */
export async function actorOfKey(app: App, digest: Buffer): Promise<Actor | undefined> {
  const key = await keys(app).load(digest.toString('hex'));
  // The cached row may be older than the key's expiry.
  if (!key || (key.validUntil && key.validUntil <= app.clock.now())) return undefined;
  return actorOf(key) ?? people(app).load(key.id);
}

/**
 * Returns the actor of an active report or read key by its id, for callers that another system has
 * authenticated (the access list of an external broker). Its last use is stored at most once a minute.
 */
export async function activeKeyActor(app: App, keyId: string): Promise<KeyActor | undefined> {
  const now = app.clock.now();
  const db = app.database.kysely;
  const key = await keyInForceById(db, keyId, now);
  const actor = key && actorOf(key);
  if (actor && mayBeMarked(key, now)) await markKeysUsed(db, [key.id], now);
  return actor;
}

type KeyActor = Extract<Actor, { kind: 'apiKey' }>;
/** The actor of a key that acts for itself; undefined for one that acts for a person. */
function actorOf({
  id,
  scope,
  organizationId,
  name,
}: Pick<FoundKey, 'id' | 'scope' | 'organizationId' | 'name'>): KeyActor | undefined {
  return scope === 'permissions' ? undefined : { kind: 'apiKey', keyId: id, scope, organizationId, name };
}
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
