// The panel next to the list of users: a new user, or one to change.
import { isId, type Id } from '#kernel/ids.ts';
import type { Role } from '#kernel/roles.ts';
import Stack from '@mui/material/Stack';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { Lines } from '#platform/web/ui/QueryState.tsx';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { User } from '../contract.ts';
import { identityQueries } from './api.ts';
import { UserCreate } from './UserCreate.tsx';
import { isStanding, UserEdit, UserFacts } from './UserEdit.tsx';

/** In the URL in place of a user's id. */
export const newUser = 'new';

type UserActions = {
  readonly actions?: ((user: User) => ReactNode) | undefined;
  /** At the end, below everything else. */
  readonly ending?: ((user: User) => ReactNode) | undefined;
  /** The pages that a role opens, by their names. */
  readonly pagesOf: (role: Role) => readonly string[];
};

export function UserPanel({
  open,
  onClose,
  actions,
  ending,
  pagesOf,
}: { open: string | undefined; onClose: () => void } & UserActions) {
  if (open === newUser) return <UserCreate onClose={onClose} />;
  return isId('usr', open) ? (
    <Loaded key={open} userId={open} onClose={onClose} actions={actions} ending={ending} pagesOf={pagesOf} />
  ) : null;
}

function Loaded({
  userId,
  onClose,
  actions,
  ending,
  pagesOf,
}: { userId: Id<'usr'>; onClose: () => void } & UserActions) {
  const { t } = useTranslation('identity');
  const query = useQuery(identityQueries.getUser({ userId }));
  const user = query.data;
  if (user && isStanding(user))
    return (
      <UserEdit
        user={user}
        onClose={onClose}
        actions={actions?.(user)}
        ending={ending?.(user)}
        pagesOf={pagesOf}
      />
    );
  if (user)
    return (
      <SidePanel open title={user.name} onClose={onClose}>
        <Stack sx={{ gap: 3 }}>
          {actions?.(user)}
          <UserFacts user={user} />
        </Stack>
      </SidePanel>
    );
  return (
    <SidePanel open title={t('identity.user_edit')} onClose={onClose}>
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Lines count={6} />
      )}
    </SidePanel>
  );
}
