// Who may open a live connection; an address that keeps guessing tickets is told to stop, as everywhere else.
import { LRUCache } from 'lru-cache';
import { Refusal } from '#kernel/refusal.ts';
import type { LiveClient } from '#platform/server/broker.ts';
import type { World } from '#platform/server/ctx.ts';
import { admitLive } from '#features/identity/server/index.ts';
import { takeTurn } from '#features/signin/server/index.ts';

/**
 * Checks a live client's user and ticket. Only failures are counted: thousands of good ones come back together after a
 * restart, and none of them must pay for the count.
 */
export function liveAdmission(world: World): (userName: string, ticket: string, address: string) => Promise<LiveClient | undefined> {
  const waiting = new LRUCache<string, number>({ max: 10_000 });
  return async (userName, ticket, address) => {
    const now = world.clock.now().getTime();
    if ((waiting.get(address) ?? 0) > now) return undefined;
    const live = await admitLive(world, userName, ticket);
    if (live) return live;
    try {
      const attempt = await takeTurn(world, { address });
      await attempt.failed();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      waiting.set(address, now + Number(error.params['retryAfter'] ?? 1) * 1000);
    }
    return undefined;
  };
}
