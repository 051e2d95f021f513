// Walks through a list page by page.

/** Of which list calls answer one. */
export type ListPage<T> = { readonly items: readonly T[]; readonly nextCursor: string | null };

/**
 * Every item of a list, fetched page by page as the loop gets there. `list` passes its argument on to the call's query:
 * `iterate((page) => skytally.billing.adminListBills({ query: { month: '2026-10', ...page } }))`.
 */
export async function* iterate<T>(
  list: (page: { cursor?: string }) => Promise<ListPage<T>>,
): AsyncGenerator<T, void, undefined> {
  let page = await list({});
  yield* page.items;
  while (page.nextCursor !== null) {
    page = await list({ cursor: page.nextCursor });
    yield* page.items;
  }
}
