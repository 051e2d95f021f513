// Signals: what a lower column announces, for the roof to plug a higher column's reaction into.

/** Something that happened, named in the past tense, with what others need to know about it. */
export type Signal<P> = { readonly name: string; readonly payload?: P };

/** Declares a signal. Its payload type is checked where it is announced and where it is plugged in. */
export function signal<P>(name: string): Signal<P> {
  return { name };
}
