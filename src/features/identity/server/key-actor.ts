// Whose API key a secret is: looked up once for the requests of a moment.
import type { Actor, World } from '#platform/server/ctx.ts';
import { LastSeen } from '#platform/server/seen.ts';
import { Together } from '#platform/server/together.ts';
import { keysInForce, markKeysUsed, type FoundKey } from './store-keys.ts';

/** Keys in force, by the digest of their secret. */
type Keys = ReadonlyMap<string, FoundKey>;
type Line = { readonly asking: Together<string, FoundKey | undefined>; readonly last: LastSeen<Keys> };
const lines = new WeakMap<World, Line>();
const usedMarkEveryMs = 60_000;

/**
 * Who an API key stands for, by the digest of its secret, or of the one before while their overlap lasts. A key that this console has revoked
 * before the call is never taken, one that another console has revoked for 30 ms more at most (see `LastSeen`). Its last use is marked at
 * most once a minute.
 */
export async function actorOfKey(world: World, digest: Buffer): Promise<Actor | undefined> {
  const { asking, last } = lines.get(world) ?? makeLine(world);
  const hex = digest.toString('hex');
  const key = last.value()?.get(hex) ?? (await asking.ask(hex));
  return key && { kind: 'apiKey', keyId: key.id, scope: key.scope, organizationId: key.organizationId, name: key.name };
}

function makeLine(world: World): Line {
  const last = new LastSeen<Keys>(world);
  const line: Line = { last, asking: new Together(async (digests) => {
    const keys = await last.read(async (before) => new Map([...(before ?? []), ...(await findAll(world, new Set(digests)))]));
    return digests.map((digest) => keys.get(digest));
  }) };
  lines.set(world, line);
  return line;
}

async function findAll(world: World, digests: ReadonlySet<string>): Promise<Keys> {
  const now = world.clock.now();
  const db = world.database.kysely;
  const found = await keysInForce(db, [...digests].map((digest) => Buffer.from(digest, 'hex')), now);
  const stale = found.filter(({ lastUsedAt }) => !lastUsedAt || now.getTime() - lastUsedAt.getTime() > usedMarkEveryMs);
  if (stale.length > 0) await markKeysUsed(db, stale.map(({ id }) => id), now);
  return new Map(found.map((key) => [key.digest.toString('hex'), key]));
}
