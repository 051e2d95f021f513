// A list's search, filters, sort and page, kept in the URL, so that every view can be linked and Back works.
import { useCallback, useMemo } from 'react';
import { useLocation } from 'react-router';
import { useAddressParams } from '../routing/address-params.ts';

/** Name of a filter → its allowed values. */
export type FilterValues = Readonly<Record<string, readonly string[]>>;

export type TableOptions<F extends FilterValues> = {
  readonly filters?: F;
  /** The sort if the URL has none: 'name', or '-createdAt' for newest first. */
  readonly sort?: string;
  readonly limit?: number;
  /** Distinguishes two lists on one page in the URL. */
  readonly prefix?: string;
  /**
   * Other search parameters that belong to a view of the list: filters that the screen itself manages, by
   * their full names.
   */
  readonly alsoInView?: readonly string[];
};

/** The input of a list call. */
export type TableQuery<F extends FilterValues> = {
  q?: string;
  sort?: string;
  limit: number;
  cursor?: string;
} & { [K in keyof F]?: F[K][number] };

export const pageSizes = [25, 50, 100] as const;
const defaultLimit = 25;

/** Reads the list's state from the URL; values that are not allowed count as absent. */
export function readTable<F extends FilterValues>(
  params: URLSearchParams,
  options: TableOptions<F>,
): TableQuery<F> {
  const { prefix = '', filters } = options;
  const get = (name: string): string | undefined => params.get(prefix + name) ?? undefined;
  const limit = Number(get('limit'));
  const sort = get('sort');
  const q = get('q')?.slice(0, 200);
  const cursor = get('cursor')?.slice(0, 500);
  const chosen = Object.entries(filters ?? {}).flatMap(([name, values]) => {
    const value = get(name);
    return value !== undefined && values.includes(value) ? [[name, value]] : [];
  });
  const known = sort !== undefined && /^-?[a-zA-Z]{1,40}$/.test(sort) ? sort : options.sort;
  return {
    limit: (pageSizes as readonly number[]).includes(limit) ? limit : (options.limit ?? defaultLimit),
    q: q || undefined,
    sort: known,
    cursor: cursor || undefined,
    ...Object.fromEntries(chosen),
    // The entries come from the options' own names and values, which the compiler cannot infer.
  } as TableQuery<F>;
}

/**
 * The URL after a change; undefined removes a parameter. Every change except one of the page returns to the
 * first page.
 */
export function writeTable(
  params: URLSearchParams,
  change: Readonly<Record<string, string | undefined>>,
  prefix = '',
): URLSearchParams {
  const next = new URLSearchParams(params);
  if (!('cursor' in change)) next.delete(`${prefix}cursor`);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === '') next.delete(prefix + name);
    else next.set(prefix + name, value);
  }
  return next;
}

/** The named parameters that have a value, in a fixed order, so that equal views give equal texts. */
export function viewOf(params: URLSearchParams, names: readonly string[]): string {
  const named = new URLSearchParams();
  for (const name of names) {
    const value = params.get(name);
    if (value !== null && value !== '') named.set(name, value);
  }
  return named.toString();
}

/** The URL with another view of the list; parameters of the page and of its other lists stay. */
export function withView(
  params: URLSearchParams,
  view: string,
  names: readonly string[],
  prefix = '',
): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const name of [...names, `${prefix}cursor`]) next.delete(name);
  for (const [name, value] of new URLSearchParams(viewOf(new URLSearchParams(view), names)))
    next.set(name, value);
  return next;
}

/** The sort after a click on a column's heading: ascending, descending, then the default. */
export function nextSort(
  current: string | undefined,
  key: string,
  fallback: string | undefined,
): string | undefined {
  if (current === key) return `-${key}`;
  if (current === `-${key}`) return fallback === `-${key}` ? key : undefined;
  return key;
}

/** A view that every user has. */
export type GivenView = { readonly label: string; readonly view: string };

export type TableViews = {
  /** The search parameters that make up a view of this list: search, sort and filters. */
  readonly names: readonly string[];
  /** The current view. */
  readonly now: string;
  readonly open: (view: string) => void;
};

export type TableState<F extends FilterValues = FilterValues> = {
  readonly query: TableQuery<F>;
  readonly search: string;
  readonly setSearch: (text: string) => void;
  readonly filters: { readonly [K in keyof F]?: F[K][number] };
  readonly setFilter: <K extends keyof F & string>(name: K, value: F[K][number] | undefined) => void;
  readonly toggleSort: (key: string) => void;
  readonly setLimit: (limit: number) => void;
  /** Whether search or filters are active. */
  readonly isNarrowed: boolean;
  readonly clear: () => void;
  /** The number of rows before this page; undefined when a link led directly to a later page. */
  readonly skipped: number | undefined;
  readonly hasPrevious: boolean;
  readonly openNext: (cursor: string) => void;
  readonly openPrevious: () => void;
  readonly openFirst: () => void;
  readonly views: TableViews;
};

/** Connects a list to the URL. Call it where the query is made: `queries.listUsers(state.query)`. */
export function useTableState<const F extends FilterValues = Record<never, never>>(
  options: TableOptions<F> = {},
): TableState<F> {
  const [params, setParams] = useAddressParams();
  const location = useLocation();
  const prefix = options.prefix ?? '';
  const query = readTable(params, options);
  const trailName = `${prefix}trail`;
  // The cursors of the previous pages are in the history entry, so that they survive a reload.
  const trail = useMemo(() => cursorTrail(location.state, trailName), [location.state, trailName]);
  const isMiddle = query.cursor !== undefined && trail.length === 0;

  const change = useCallback(
    (
      values: Record<string, string | undefined>,
      options: { trail?: readonly string[]; replace?: boolean } = {},
    ) =>
      setParams((now) => writeTable(now, values, prefix), {
        replace: options.replace ?? false,
        state: { [trailName]: options.trail ?? [] },
        preventScrollReset: true,
      }),
    [setParams, prefix, trailName],
  );
  const names = Object.keys(options.filters ?? {});
  const viewNames = [...['q', ...names, 'sort'].map((name) => prefix + name), ...(options.alsoInView ?? [])];
  const narrowing = names.filter((name) => query[name as keyof typeof query] !== undefined);
  return {
    query,
    search: query.q ?? '',
    setSearch: (text) => change({ q: text.trim() }, { replace: true }),
    filters: Object.fromEntries(
      narrowing.map((name) => [name, query[name as keyof typeof query]]),
    ) as TableState<F>['filters'],
    setFilter: (name, value) => change({ [name]: value }),
    toggleSort: (key) => change({ sort: nextSort(query.sort, key, options.sort) }),
    setLimit: (limit) =>
      change({ limit: limit === (options.limit ?? defaultLimit) ? undefined : String(limit) }),
    isNarrowed: query.q !== undefined || narrowing.length > 0,
    clear: () => change({ q: undefined, ...Object.fromEntries(names.map((name) => [name, undefined])) }),
    skipped: isMiddle ? undefined : trail.length * query.limit,
    hasPrevious: query.cursor !== undefined,
    openNext: (cursor) => change({ cursor }, { trail: [...trail, query.cursor ?? ''] }),
    openPrevious: () => change({ cursor: trail.at(-1) || undefined }, { trail: trail.slice(0, -1) }),
    openFirst: () => change({ cursor: undefined }),
    views: {
      names: viewNames,
      now: viewOf(params, viewNames),
      open: (view) =>
        setParams((now) => withView(now, view, viewNames, prefix), { preventScrollReset: true }),
    },
  };
}

function cursorTrail(state: unknown, name: string): readonly string[] {
  const trail =
    typeof state === 'object' && state !== null ? (state as Record<string, unknown>)[name] : undefined;
  return Array.isArray(trail) && trail.every((cursor) => typeof cursor === 'string') ? trail : [];
}
