// Whose API key a secret is: looked up for every request, and for those that arrive in the same moment at once.
import type { Actor, World } from '#platform/server/ctx.ts';
import { Together } from '#platform/server/together.ts';
import { keysInForce, markKeysUsed, type FoundKey } from './store-keys.ts';

const lines = new WeakMap<World, Together<Buffer, FoundKey | undefined>>();
const usedMarkEveryMs = 60_000;

/**
 * Who an API key stands for, by the digest of its secret, or of the one before while their overlap lasts. The database is asked
 * after the call, so a key that was revoked before is never taken. Its last use is marked at most once a minute.
 */
export async function actorOfKey(world: World, digest: Buffer): Promise<Actor | undefined> {
  const line = lines.get(world) ?? new Together((digests: readonly Buffer[]) => findAll(world, digests));
  lines.set(world, line);
  const key = await line.ask(digest);
  return key && { kind: 'apiKey', keyId: key.id, scope: key.scope, organizationId: key.organizationId, name: key.name };
}

async function findAll(world: World, digests: readonly Buffer[]): Promise<(FoundKey | undefined)[]> {
  const now = world.clock.now();
  const db = world.database.kysely;
  const different = new Map(digests.map((digest) => [digest.toString('hex'), digest]));
  const found = new Map((await keysInForce(db, [...different.values()], now)).map((key) => [key.digest.toString('hex'), key]));
  const stale = [...found.values()].filter(({ lastUsedAt }) => !lastUsedAt || now.getTime() - lastUsedAt.getTime() > usedMarkEveryMs);
  if (stale.length > 0) await markKeysUsed(db, stale.map(({ id }) => id), now);
  return digests.map((digest) => found.get(digest.toString('hex')));
}
