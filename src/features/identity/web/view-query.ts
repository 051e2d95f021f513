// What of an address is a view of a list, in one order, so that equal views are equal texts.

/** The named parts of an address that have a value. */
export function viewQuery(params: URLSearchParams, names: readonly string[]): string {
  const kept = new URLSearchParams();
  for (const name of names) {
    const value = params.get(name);
    if (value !== null && value !== '') kept.set(name, value);
  }
  return kept.toString();
}

/** The view that shows just this; an own one rather than one that everybody has, as it was named on purpose. */
export function matchingView<V extends { readonly query: string }>(views: readonly V[], query: string): V | undefined {
  return views.findLast((view) => view.query === query);
}
