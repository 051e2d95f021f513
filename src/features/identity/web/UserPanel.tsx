// The panel beside the list of users: a new user, or one to change.
import { isId, type Id } from '#kernel/ids.ts';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { Lines } from '#platform/web/ui/QueryState.tsx';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { User } from '#features/identity/contract.ts';
import { identityQueries } from './api.ts';
import { useIdentityTexts } from './texts.ts';
import { UserCreate } from './UserCreate.tsx';
import { UserEdit } from './UserEdit.tsx';

/** In the address where a user's id stands otherwise. */
export const newUser = 'new';

type UserActions = { readonly actions?: ((user: User) => ReactNode) | undefined };

export function UserPanel({ open, onClose, actions }: { open: string | undefined; onClose: () => void } & UserActions) {
  if (open === newUser) return <UserCreate onClose={onClose} />;
  return isId('usr', open) ? <Loaded key={open} userId={open} onClose={onClose} actions={actions} /> : null;
}

function Loaded({ userId, onClose, actions }: { userId: Id<'usr'>; onClose: () => void } & UserActions) {
  const t = useIdentityTexts();
  const query = useQuery(identityQueries.getUser({ userId }));
  if (query.data) return <UserEdit user={query.data} onClose={onClose} actions={actions?.(query.data)} />;
  return (
    <SidePanel open title={t('identity.user_edit')} onClose={onClose}>
      {query.error ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : <Lines count={6} />}
    </SidePanel>
  );
}
