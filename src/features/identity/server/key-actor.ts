// Whose API key a secret is: looked up for every request, and for those that arrive in the same moment at once.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Actor, World } from '#platform/server/ctx.ts';
import { keysInForce, markKeysUsed, type FoundKey } from './store-keys.ts';

type Asking = { readonly digest: Buffer; readonly answer: (key: FoundKey | undefined) => void; readonly fail: (error: unknown) => void };
type Line = { readonly waiting: Asking[]; isAsked: boolean };
const lines = new WeakMap<World, Line>();
const usedMarkEveryMs = 60_000;

/**
 * Who an API key stands for, by the digest of its secret, or of the one before while their overlap lasts. The database is asked
 * after the call, so a key that was revoked before is never taken. Its last use is marked at most once a minute.
 */
export async function actorOfKey(world: World, digest: Buffer): Promise<Actor | undefined> {
  const key = await new Promise<FoundKey | undefined>((answer, fail) => {
    const line = lines.get(world) ?? { waiting: [], isAsked: false };
    lines.set(world, line);
    line.waiting.push({ digest, answer, fail });
    if (!line.isAsked) void ask(world, line);
  });
  return key && { kind: 'apiKey', keyId: key.id, scope: key.scope, organizationId: key.organizationId, name: key.name };
}

/** One question at a time: those who come meanwhile are the next one. */
async function ask(world: World, line: Line): Promise<void> {
  line.isAsked = true;
  // Those that arrive in the same turn go together.
  await nextTurn();
  while (line.waiting.length > 0) await answerAll(world, line.waiting.splice(0));
  line.isAsked = false;
}

async function answerAll(world: World, asking: readonly Asking[]): Promise<void> {
  try {
    const now = world.clock.now();
    const db = world.database.kysely;
    const different = new Map(asking.map(({ digest }) => [digest.toString('hex'), digest]));
    const found = new Map((await keysInForce(db, [...different.values()], now)).map((key) => [key.digest.toString('hex'), key]));
    const stale = [...found.values()].filter(({ lastUsedAt }) => !lastUsedAt || now.getTime() - lastUsedAt.getTime() > usedMarkEveryMs);
    if (stale.length > 0) await markKeysUsed(db, stale.map(({ id }) => id), now);
    for (const { digest, answer } of asking) answer(found.get(digest.toString('hex')));
  } catch (error) {
    for (const { fail } of asking) fail(error);
  }
}
