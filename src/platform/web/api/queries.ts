// Server state: one cache keyed by contract, call and input; nothing on a screen fetches in any other way.
import {
  QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
  type QueryKey,
  type UseMutationResult,
} from '@tanstack/react-query';
import type { Contract, In } from '#kernel/contract.ts';
import { createClient, type Answer, type CallOptions, type Client } from './api.ts';
import { isWorthRetrying } from './api-error.ts';
import { onReturn } from './reach.ts';
import type { Transport } from './transport.ts';

/** Bigints are no JSON: money in an input must still make a key. */
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
      // Without a network a call fails and says so; waiting for one would look like working.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

onReturn(() => void queryCache.invalidateQueries());

type QueryOf<R> = (
  ...args: Record<never, never> extends In<R> ? [input?: In<R>] : [input: In<R>]
) => ReturnType<typeof queryOptions<Answer<R>, Error, Answer<R>, QueryKey>>;
export type Queries<C extends Contract> = { readonly [Name in keyof C]: QueryOf<C[Name]> };

export type Connected<C extends Contract> = {
  /** `await client.payBill({ billId })` */
  readonly client: Client<C>;
  /** `useQuery(queries.listBills({ limit: 25 }))` */
  readonly queries: Queries<C>;
  /** The key of a call's cached answers (all inputs), or of everything of the contract: for `invalidates`. */
  readonly keyOf: (name?: keyof C & string) => QueryKey;
};

/** Connects a contract to the browser: `export const { client, queries, keyOf } = connect('billing', billing, transport)`. */
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
    // One entry for each key of the table, made in the line above; the compiler cannot follow the loop.
    queries: Object.fromEntries(entries) as Queries<C>,
    keyOf: (name) => (name === undefined ? [contractName] : [contractName, name]),
  };
}

/**
 * A change: `const pay = useCall(client.payBill, { invalidates: [keyOf('listBills')] })`, then `pay.mutate(input)`.
 * A repeat after a lost answer carries the same idempotency key as long as the input is the same.
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
  return useMutation<Output, Error, Input>({
    mutationFn: (input) => call(input, { idempotencyKey: attemptKey(call, input) }),
    onSuccess: async (output, input) => {
      forgetAttempt(call, input);
      await Promise.all((options.invalidates ?? []).map((queryKey) => cache.invalidateQueries({ queryKey })));
      options.onSuccess?.(output, input);
    },
    onError: (error, input) => {
      // Only an attempt whose outcome is unknown keeps its key: a refusal was an outcome.
      if (!isWorthRetrying(error)) forgetAttempt(call, input);
      options.onError?.(error);
    },
  });
}

const attempts = new WeakMap<object, Map<string, string>>();

function attemptKey(call: object, input: unknown): string {
  const known = attempts.get(call) ?? new Map<string, string>();
  attempts.set(call, known);
  const name = hash([input]);
  const key = known.get(name) ?? crypto.randomUUID();
  known.set(name, key);
  return key;
}

function forgetAttempt(call: object, input: unknown): void {
  attempts.get(call)?.delete(hash([input]));
}
