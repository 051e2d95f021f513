// Whose API key a secret is: looked up for every request, for those that arrive in the same moment at once, and not again within the same moment.
import type { Actor, World } from '#platform/server/ctx.ts';
import { isAsSeen, see, type Seen } from '#platform/server/seen.ts';
import { Together } from '#platform/server/together.ts';
import { keysInForce, markKeysUsed, type FoundKey } from './store-keys.ts';

/** Keys in force as they were seen last, by the digest of their secret. */
type Last = { readonly seen: Seen; readonly keys: ReadonlyMap<string, FoundKey> };
type Line = { readonly asking: Together<string, FoundKey | undefined>; last?: Last };
const lines = new WeakMap<World, Line>();
const usedMarkEveryMs = 60_000;

/**
 * Who an API key stands for, by the digest of its secret, or of the one before while their overlap lasts. A key that this console has revoked
 * before the call is never taken, one that another console has revoked for 30 ms more at most (see `isAsSeen`). Its last use is marked at
 * most once a minute.
 */
export async function actorOfKey(world: World, digest: Buffer): Promise<Actor | undefined> {
  const line = lines.get(world) ?? makeLine(world);
  const hex = digest.toString('hex');
  const key = lastOf(world, line)?.keys.get(hex) ?? (await line.asking.ask(hex));
  return key && { kind: 'apiKey', keyId: key.id, scope: key.scope, organizationId: key.organizationId, name: key.name };
}

function makeLine(world: World): Line {
  const line: Line = { asking: new Together((digests) => findAll(world, line, digests)) };
  lines.set(world, line);
  return line;
}

const lastOf = (world: World, { last }: Line): Last | undefined => (last && isAsSeen(world, last.seen) ? last : undefined);

async function findAll(world: World, line: Line, digests: readonly string[]): Promise<(FoundKey | undefined)[]> {
  const before = lastOf(world, line);
  const seen = before?.seen ?? see(world);
  const now = world.clock.now();
  const db = world.database.kysely;
  const read = await keysInForce(db, [...new Set(digests)].map((digest) => Buffer.from(digest, 'hex')), now);
  const found = new Map(read.map((key) => [key.digest.toString('hex'), key]));
  const stale = read.filter(({ lastUsedAt }) => !lastUsedAt || now.getTime() - lastUsedAt.getTime() > usedMarkEveryMs);
  if (stale.length > 0) await markKeysUsed(db, stale.map(({ id }) => id), now);
  line.last = { seen, keys: new Map([...(before?.keys ?? []), ...found]) };
  return digests.map((digest) => found.get(digest));
}
