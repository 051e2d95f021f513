// What was read a moment ago may be used again, as long as nothing can have changed since.
import type { World } from './ctx.ts';

/** So long at most: what another console changes meanwhile is not seen before. */
const lastsMs = 30;
const changes = new WeakMap<World, number>();
const countOf = (world: World): number => changes.get(world) ?? 0;

/** The moment before a reading, as {@link see} answers it. */
export type Seen = { readonly changes: number; readonly readAtMs: number; readonly clockMs: number };

/** Takes the moment before a reading. */
export function see(world: World): Seen {
  return { changes: countOf(world), readAtMs: performance.now(), clockMs: world.clock.now().getTime() };
}

/**
 * Whether what was read then is what a reading would answer now: no unit of work of this process has ended since, but those that leave it as
 * it is (see `leaves` of `work`), and what others do is at most 30 ms away.
 */
export function isAsSeen(world: World, seen: Seen): boolean {
  return seen.changes === countOf(world) && performance.now() - seen.readAtMs <= lastsMs && Math.abs(world.clock.now().getTime() - seen.clockMs) <= lastsMs;
}

/** A unit of work has ended, before anybody hears of it. */
export function countChange(world: World): void {
  changes.set(world, countOf(world) + 1);
}
