// Actions for one user of the list.
import type { User } from '#features/access/identity/contract.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { RowAction } from '#platform/web/ui/RowMenu.tsx';
import type { Begin } from './batch-form.ts';

export function useUserActions({
  edit,
  begin,
}: {
  edit: (userId: string) => void;
  begin: Begin;
}): (user: User) => readonly RowAction[] {
  const { t } = useTranslation('users');
  const ownId = useAuthStore((auth) => auth.user?.id);
  return (user) => {
    if (user.status === 'deleted')
      return [{ label: t('users.restore'), onClick: () => begin('restore', { rows: [user] }) }];
    const refused = user.id === ownId ? t('users.self_protected') : undefined;
    return [
      { label: t('ui.edit'), onClick: () => edit(user.id) },
      user.status === 'active'
        ? {
            label: t('users.deactivate'),
            danger: true,
            refused,
            onClick: () => begin('deactivate', { rows: [user] }),
          }
        : { label: t('users.activate'), onClick: () => begin('activate', { rows: [user] }) },
      { label: t('ui.delete'), danger: true, refused, onClick: () => begin('delete', { rows: [user] }) },
    ];
  };
}
