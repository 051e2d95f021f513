// Asserts invariants: a violated one throws here instead of causing wrong results elsewhere.

/** Throws when `condition` is false. `message` names the invariant; it is logged and never shown to users. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${message}`);
}

/** Returns `value`, or throws when it is null or undefined. `message` names what was expected to exist. */
export function required<T>(value: T | null | undefined, message: string): T {
  assert(value !== null && value !== undefined, message);
  return value;
}
