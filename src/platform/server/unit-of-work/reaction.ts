// Reactions: how the roof plugs a column into what a lower one announces.
import type { Ctx, Reaction } from './ctx.ts';
import type { Signal } from './sockets.ts';

/** "When A happens, B follows": runs inside the unit of work that announced it, so both happen or neither. */
export function when<P>(announced: Signal<P>, react: (ctx: Ctx, payload: P) => Promise<void>): Reaction {
  return { signal: announced.name, react: react as Reaction['react'] };
}
