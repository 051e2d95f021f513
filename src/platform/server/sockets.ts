// Sockets: what a lower column announces and the roof plugs a higher column's reaction into.
import type { Ctx } from './ctx.ts';

/** Something that happened, named in the past tense, with what others need to know about it. */
export type Signal<P> = { readonly name: string; readonly payload?: P };

/** Declares a signal. Its payload type is checked where it is announced and where it is plugged in. */
export function signal<P>(name: string): Signal<P> {
  return { name };
}

/** One plugged-in reaction. */
export type Reaction = { readonly signal: string; readonly react: (ctx: Ctx, payload: never) => Promise<void> };

/** "When A happens, B follows": runs inside the unit of work that announced it, so both happen or neither. */
export function when<P>(announced: Signal<P>, react: (ctx: Ctx, payload: P) => Promise<void>): Reaction {
  return { signal: announced.name, react: react as Reaction['react'] };
}
