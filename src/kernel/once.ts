/** Creates an expensive value on first use and caches it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Creates a value for each object on first use and caches it as long as the object exists. */
export function oncePer<K extends WeakKey, T extends NonNullable<unknown>>(
  make: (key: K) => T,
): (key: K) => T {
  const made = new WeakMap<K, T>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
