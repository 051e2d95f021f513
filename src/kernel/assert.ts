// Asserts invariants: what cannot be otherwise stops the work here, loudly, instead of spreading.

/** Throws when `condition` does not hold. `why` names the invariant; it reaches the log, never a person. */
export function assert(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${why}`);
}

/** Returns `value` when it is there, throws otherwise. `why` names what was expected to exist. */
export function required<T>(value: T | null | undefined, why: string): T {
  assert(value !== null && value !== undefined, why);
  return value;
}
