// Whom a batch is for, as the list knows them.
import type { In } from '#kernel/contract.ts';
import type { User } from '#features/identity/contract.ts';
import type { BatchAction, users } from '#features/users/contract.ts';

export type UserFilter = NonNullable<In<typeof users.startBatch>['filter']>;
/** Users that were chosen one by one, or all of the list's filter. */
export type Whom = { readonly users: readonly User[] } | { readonly filter: UserFilter; readonly total: number };
export type Begin = (action: BatchAction, whom: Whom) => void;

/** How many they are. */
export const countOf = (whom: Whom): number => ('users' in whom ? whom.users.length : whom.total);
