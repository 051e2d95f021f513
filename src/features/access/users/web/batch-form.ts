// The users of a batch, selected in the list.
import type { In } from '#kernel/contract.ts';
import type { User } from '#features/access/identity/contract.ts';
import type { BatchAction, users } from '../contract.ts';
import type { RowSelection } from '#platform/web/ui/use-chosen-rows.ts';

export type UserFilter = NonNullable<In<typeof users.startBatch>['filter']>;
/** Individually selected users, or all of the list's filter. */
export type Users = RowSelection<User, UserFilter>;
export type Begin = (action: BatchAction, selection: Users) => void;
