// Actions for the selected users: some, across pages, or all that match the filter.
import Button from '@mui/material/Button';
import { maxNamed, type BatchAction } from '../contract.ts';
import type { User } from '#features/access/identity/contract.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { ListQuery, Selection } from '#platform/web/ui/list-parts.ts';
import { useChosenRows } from '#platform/web/ui/use-chosen-rows.ts';
import { usersApi } from './api.ts';
import type { Begin, UserFilter } from './batch-form.ts';

type Chosen = {
  readonly selectionFor: (begin: Begin) => Selection;
  readonly canSelect: (user: User) => boolean;
  readonly clear: () => void;
};

export function useChosenUsers({
  filter,
  query,
}: {
  filter: UserFilter & { sort?: string };
  query: ListQuery<User>;
}): Chosen {
  const { t } = useTranslation('users');
  const ownId = useAuthStore((auth) => auth.user?.id);
  const { sort: _sort, ...withoutSort } = filter;
  const canSelect = (user: User): boolean => user.id !== ownId;
  const { chosen, selection, clear } = useChosenRows<User, UserFilter>({
    filter: withoutSort,
    query,
    maxNamed,
    canSelect,
    count: usersApi.countUsers,
  });
  const actionsFor = (begin: Begin) => {
    const button = (action: BatchAction, label: string, danger = false) => (
      <Button
        aria-haspopup="dialog"
        size="small"
        variant="outlined"
        color={danger ? 'error' : 'primary'}
        onClick={() => begin(action, chosen)}
      >
        {label}
      </Button>
    );
    return withoutSort.status === 'deleted' ? (
      button('restore', t('users.restore'))
    ) : (
      <>
        {button('activate', t('users.activate'))}
        {button('deactivate', t('users.deactivate'))}
        {button('resetPassword', t('users.reset'))}
        {button('delete', t('ui.delete'), true)}
      </>
    );
  };
  return { canSelect, clear, selectionFor: (begin) => ({ ...selection, actions: actionsFor(begin) }) };
}
