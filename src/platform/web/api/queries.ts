// Server state: one cache, keyed by contract, call and input. Screens fetch data only through it.
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
import { withSortedKeys } from '#kernel/order.ts';
import { createClient, type Answer, type CallOptions, type Client } from './api.ts';
import { isWorthRetrying } from './api-error.ts';
import { randomId } from './random-id.ts';
import { onReturn } from './reach.ts';
import { isWaiting } from './waiting.ts';
import type { Transport } from './transport.ts';

/** JSON cannot represent bigints, but an input with money still needs a cache key. */
const hash = (key: QueryKey): string =>
  JSON.stringify(key, (_name, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : withSortedKeys(value),
  );

/** The cache of one browser tab. */
export const queryCache = new QueryClient({
  defaultOptions: {
    queries: {
      queryKeyHashFn: hash,
      staleTime: 30_000,
      gcTime: 5 * 60_000,
      retry: (count, error) => count < 2 && isWorthRetrying(error),
      refetchOnWindowFocus: true,
      // By default the library pauses calls while offline. Here a call must fail visibly, because a paused
      // call looks as if it were in progress.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

onReturn(() => void queryCache.invalidateQueries());

/**
 * Refetches the queries that a change affects. A query whose first fetch is still in flight is refetched once
 * it has finished, because its answer may be from before the change, and the library would treat it as fresh.
 * Resolves when the screens show current data.
 */
export async function refetchChanged(cache: QueryClient, queryKey: QueryKey): Promise<void> {
  const isFirst = (query: Query): boolean => query.state.data === undefined;
  const loading = cache.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching', predicate: isFirst });
  await Promise.all([
    cache.invalidateQueries({ queryKey }),
    ...loading.map(async (query) => {
      // Components that use the query show its error.
      await query.promise?.catch(() => undefined);
      await cache.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }),
  ]);
}

/** Marks queries as stale that no screen shows, so that they are refetched when one does. */
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
  /** The cache key of a call with any input, or of the whole contract; for `invalidates`. */
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
    // The line above creates one entry for each key of the table, which the compiler cannot infer.
    queries: Object.fromEntries(entries) as Queries<C>,
    keyOf: (name) => (name === undefined ? [contractName] : [contractName, name]),
  };
}

/**
 * A mutation: `const pay = useCall(client.payBill, { invalidates: [keyOf('listBills')] })`, then
 * `pay.mutate(input)`. If there was no response, a repeat with the same input carries the same idempotency
 * key.
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
    // Tells listeners of the cache which call has succeeded.
    meta: { call },
    mutationFn: (input) => call(input, { idempotencyKey: attemptKey(call, input) }),
    onSuccess: async (output, input) => {
      forgetAttempt(call, input);
      await Promise.all((options.invalidates ?? []).map((queryKey) => refetchChanged(cache, queryKey)));
      options.onSuccess?.(output, input);
    },
    onError: (error, input) => {
      // The key is kept only while the outcome is unknown; a rejection is an outcome.
      if (!isWorthRetrying(error)) forgetAttempt(call, input);
      // Neither done nor failed: the awaiting code gets the error, but no screen shows it.
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
