// Server state: one cache, keyed by contract, call and input. Screens fetch data through it only.
import {
  QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
  type Query,
  type QueryKey,
  type UseMutationResult,
} from '@tanstack/react-query';
import type { Contract, In } from '#kernel/contract.ts';
import { createClient, type Answer, type CallOptions, type Client } from './api.ts';
import { isWorthRetrying } from './api-error.ts';
import { randomId } from './random-id.ts';
import { onReturn } from './reach.ts';
import { isWaiting } from './waiting.ts';
import type { Transport } from './transport.ts';

/** JSON cannot hold bigints, but an input with money must still have a cache key. */
const hash = (key: QueryKey): string =>
  JSON.stringify(key, (_name, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date)
      return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });

/** The cache of one browser tab. */
export const queryCache = new QueryClient({
  defaultOptions: {
    queries: {
      queryKeyHashFn: hash,
      staleTime: 30_000,
      gcTime: 5 * 60_000,
      retry: (count, error) => count < 2 && isWorthRetrying(error),
      refetchOnWindowFocus: true,
      // By default the library pauses calls while offline; here a call must fail and say so, because a paused
      // call looks as if it were working.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

onReturn(() => void queryCache.invalidateQueries());

/**
 * Fetches again what a change concerns. A query whose first answer is still on its way is fetched once more when that has come: it may be
 * from before the change, and the library takes it for the new one. Resolves when the screens show what there is now.
 */
export async function refetchChanged(cache: QueryClient, queryKey: QueryKey): Promise<void> {
  const isFirst = (query: Query): boolean => query.state.data === undefined;
  const loading = cache.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching', predicate: isFirst });
  await Promise.all([
    cache.invalidateQueries({ queryKey }),
    ...loading.map(async (query) => {
      // Whoever shows the query shows its error too.
      await query.promise?.catch(() => undefined);
      await cache.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }),
  ]);
}

/** Has what no screen shows now fetched again when one shows it next. */
export const markChanged = (cache: QueryClient, queryKey: QueryKey): void =>
  void cache.invalidateQueries({ queryKey, type: 'inactive', refetchType: 'none' });

type QueryOf<R> = (
  ...args: Record<never, never> extends In<R> ? [input?: In<R>] : [input: In<R>]
) => ReturnType<typeof queryOptions<Answer<R>, Error, Answer<R>, QueryKey>>;
export type Queries<C extends Contract> = { readonly [Name in keyof C]: QueryOf<C[Name]> };

export type Connected<C extends Contract> = {
  /** `await client.payBill({ billId })` */
  readonly client: Client<C>;
  /** `useQuery(queries.listBills({ limit: 25 }))` */
  readonly queries: Queries<C>;
  /** The cache key of a call (all its inputs), or of the whole contract; to be passed as `invalidates`. */
  readonly keyOf: (name?: keyof C & string) => QueryKey;
};

/**
 * Connects a contract to the browser: `export const { client, queries, keyOf } = connect('billing', billing,
 * transport)`.
 */
export function connect<C extends Contract>(
  contractName: string,
  table: C,
  transport: Transport,
): Connected<C> {
  const client = createClient(table, transport);
  const entries = Object.keys(table).map((name) => {
    const call = client[name] as (input: unknown, options: CallOptions) => Promise<unknown>;
    return [
      name,
      (input: unknown = {}) =>
        queryOptions({
          queryKey: [contractName, name, input],
          queryFn: ({ signal }) => call(input, { signal }),
        }),
    ];
  });
  return {
    client,
    // The line above makes one entry for each key of the table; the compiler cannot follow the loop.
    queries: Object.fromEntries(entries) as Queries<C>,
    keyOf: (name) => (name === undefined ? [contractName] : [contractName, name]),
  };
}

/**
 * A change: `const pay = useCall(client.payBill, { invalidates: [keyOf('listBills')] })`, then
 * `pay.mutate(input)`. When no answer came, a repeat with the same input carries the same idempotency key.
 */
export function useCall<Input, Output>(
  call: (input: Input, options?: CallOptions) => Promise<Output>,
  options: {
    readonly invalidates?: readonly QueryKey[];
    readonly onSuccess?: (output: Output, input: Input) => void;
    readonly onError?: (error: Error) => void;
  } = {},
): UseMutationResult<Output, Error, Input> {
  const cache = useQueryClient();
  const mutation = useMutation<Output, Error, Input>({
    // By it a listener of the cache knows which call has succeeded.
    meta: { call },
    mutationFn: (input) => call(input, { idempotencyKey: attemptKey(call, input) }),
    onSuccess: async (output, input) => {
      forgetAttempt(call, input);
      await Promise.all((options.invalidates ?? []).map((queryKey) => refetchChanged(cache, queryKey)));
      options.onSuccess?.(output, input);
    },
    onError: (error, input) => {
      // The key is kept only while the outcome is unknown; a refusal is an outcome.
      if (!isWorthRetrying(error)) forgetAttempt(call, input);
      // Neither done nor failed: whoever awaits it hears so, and no screen shows it as an error.
      if (isWaiting(error)) mutation.reset();
      else options.onError?.(error);
    },
  });
  return mutation;
}

const attempts = new WeakMap<object, Map<string, string>>();

function attemptKey(call: object, input: unknown): string {
  const known = attempts.get(call) ?? new Map<string, string>();
  attempts.set(call, known);
  const name = hash([input]);
  const key = known.get(name) ?? randomId();
  known.set(name, key);
  return key;
}

function forgetAttempt(call: object, input: unknown): void {
  attempts.get(call)?.delete(hash([input]));
}
