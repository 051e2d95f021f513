// How a command calls the API: on the machine with the database, or over the network. Commands work with
// either.
import type * as z from 'zod/mini';
import type { Route } from '#kernel/contract.ts';

/** Calls a route with its input; throws what the API rejects. */
export type Call = <R extends Route>(route: R, input: z.input<R['input']>) => Promise<z.output<R['output']>>;
