// Refused calls in the audit log: who tried what they may not.
import { LRUCache } from 'lru-cache';
import type { Actor, World } from './ctx.ts';
import { work } from './work.ts';

const quietMs = 60_000;
/** One row a minute for each caller and route: a program that keeps knocking must not fill the log. */
const noted = new LRUCache<string, true>({ max: 5000, ttl: quietMs });

/** Writes the audit row of a refused call, in a unit of its own. `name` is feature.verb, `code` why it was refused. */
export async function noteRefusal(world: World, actor: Actor, name: string, code: string, requestId: string): Promise<void> {
  const caller = actor.kind === 'user' ? actor.userId : actor.kind === 'apiKey' ? actor.keyId : actor.kind;
  const key = `${caller} ${name} ${code}`;
  if (noted.has(key)) return;
  noted.set(key, true);
  await work(world, { actor, requestId }, async (ctx) => ctx.note('platform.refused', name, { code }));
}
