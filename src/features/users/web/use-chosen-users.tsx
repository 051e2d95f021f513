// Which users are chosen: some, across pages, or all that the filter has.
import Button from '@mui/material/Button';
import { useState } from 'react';
import { mostNamed, type BatchAction } from '#features/users/contract.ts';
import type { User } from '#features/identity/contract.ts';
import { useAuthStore } from '#platform/web/auth-store.ts';
import { toast } from '#platform/web/toasts.ts';
import type { ListQuery, Selection } from '#platform/web/ui/list-parts.ts';
import { useFormat } from '#platform/web/use-format.ts';
import { usersApi } from './api.ts';
import type { Begin, UserFilter, Whom } from './batch-form.ts';
import { useUsersTexts } from './texts.ts';

const none: ReadonlyMap<string, User> = new Map();
type Chosen = { readonly selectionFor: (begin: Begin) => Selection; readonly canSelect: (user: User) => boolean; readonly clear: () => void };

export function useChosenUsers({ filter, query }: { filter: UserFilter & { sort?: string }; query: ListQuery<User> }): Chosen {
  const t = useUsersTexts();
  const format = useFormat();
  const ownId = useAuthStore((auth) => auth.user?.id);
  const { sort: _sort, ...whose } = filter;
  const name = JSON.stringify(whose);
  const [some, setSome] = useState(none);
  const [all, setAll] = useState<{ readonly of: string; readonly total: number }>();
  const [isCounting, setIsCounting] = useState(false);
  const rows = query.data?.items ?? [];
  // Another filter is another "all".
  const isAll = all?.of === name;
  const canSelect = (user: User): boolean => user.id !== ownId;
  const chosen = isAll ? new Map(rows.filter(canSelect).map((user) => [user.id, user])) : some;
  const clear = (): void => {
    setSome(none);
    setAll(undefined);
  };
  const choose = (ids: ReadonlySet<string>): void => {
    setAll(undefined);
    const known = new Map([...chosen, ...rows.map((user) => [user.id, user] as const)].filter(([id]) => ids.has(id)));
    setSome(new Map([...known].slice(0, mostNamed)));
  };
  const chooseAll = async (): Promise<void> => {
    setIsCounting(true);
    try {
      setAll({ of: name, total: (await usersApi.countUsers(whose)).total });
    } catch (error) {
      toast.failure(error);
    } finally {
      setIsCounting(false);
    }
  };
  const whom: Whom = isAll ? { filter: whose, total: all.total } : { users: [...chosen.values()] };
  const areDeleted = whose.status === 'deleted';
  const total = query.data?.total ?? 0;
  const actionsFor = (begin: Begin) => {
    const button = (action: BatchAction, label: string, danger = false) => <Button size="small" variant="outlined" color={danger ? 'error' : 'primary'} onClick={() => begin(action, whom)}>{label}</Button>;
    return (
      <>
        {areDeleted ? button('restore', t('users.restore')) : <>{button('activate', t('users.activate'))}{button('deactivate', t('users.deactivate'))}{button('resetPassword', t('users.reset'))}{button('delete', t('ui.delete'), true)}</>}
        {!isAll && total > chosen.size && <Button size="small" loading={isCounting} onClick={() => void chooseAll()}>{t('users.choose_all', { count: format.number(total) })}</Button>}
      </>
    );
  };
  return { canSelect, clear, selectionFor: (begin) => ({ selected: new Set(chosen.keys()), onChange: choose, actions: actionsFor(begin), ...(isAll && { count: all.total }) }) };
}
