// Asserts invariants: a violated one throws here instead of causing wrong results elsewhere.

/** Throws when `condition` is false. `why` names the invariant; it is logged and never shown to users. */
export function assert(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${why}`);
}

/** Returns `value`, or throws when it is null or undefined. `why` names what was expected to exist. */
export function required<T>(value: T | null | undefined, why: string): T {
  assert(value !== null && value !== undefined, why);
  return value;
}
