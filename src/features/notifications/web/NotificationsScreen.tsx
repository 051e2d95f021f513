// All notifications of a person: unread or all, by category, by day, each marked or deleted where it stands (R-NOTE-02).
import DoneAllOutlined from '@mui/icons-material/DoneAllOutlined';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Chip from '@mui/material/Chip';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { notificationCategories } from '#features/notifications/contract.ts';
import { useLive } from '#platform/web/live.ts';
import { useCall } from '#platform/web/queries.ts';
import { toast } from '#platform/web/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { Pager } from '#platform/web/ui/Pager.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { useTableState, type TableState } from '#platform/web/ui/table-state.ts';
import { useFormat } from '#platform/web/use-format.ts';
import { notificationsApi, notificationsKey, notificationsQueries } from './api.ts';
import { NotificationDays } from './NotificationDays.tsx';
import { useNotificationsTexts } from './texts.ts';

const filters = { unread: ['true'], category: notificationCategories } as const;
type Listed = TableState<typeof filters>;

export function NotificationsScreen() {
  const t = useNotificationsTexts();
  const format = useFormat();
  const state: Listed = useTableState({ filters });
  const { unread: isUnread, ...rest } = state.query;
  const query = useQuery({ ...notificationsQueries.listNotifications({ ...rest, ...(isUnread && { unread: true }) }), placeholderData: keepPreviousData });
  useLive('notifications', [notificationsKey()]);
  const unread = query.data?.unread ?? 0;
  return (
    <Page title={t('notifications.title')} width="list" actions={<ReadAll unread={unread} isNarrowed={state.filters.category !== undefined} />}>
      <Card sx={{ minWidth: 0, overflow: 'clip' }}>
        <Tabs value={isUnread ?? 'all'} onChange={(_, next: 'true' | 'all') => state.setFilter('unread', next === 'all' ? undefined : next)} aria-label={t('notifications.which')} sx={{ paddingInline: { xs: 1, sm: 2 }, borderBottom: '1px solid', borderColor: 'divider' }}>
          <Tab value="all" label={t('notifications.all')} />
          <Tab value="true" label={unread === 0 ? t('notifications.unread') : t('notifications.unread_count', { count: format.number(unread) })} />
        </Tabs>
        <Categories state={state} />
        <Box aria-busy={query.isPlaceholderData} sx={{ opacity: query.isPlaceholderData ? 0.6 : 1 }}>
          <QueryState query={query} skeleton={<Box sx={{ padding: 3 }}><Lines count={8} /></Box>}>
            {(page) => <NotificationDays items={page.items} isUnread={isUnread !== undefined} hasCategory={state.filters.category !== undefined} isNarrowed={state.isNarrowed} onClear={state.clear} />}
          </QueryState>
        </Box>
        {query.data && query.data.items.length > 0 && <Pager page={query.data} state={state} />}
      </Card>
    </Page>
  );
}

function Categories({ state }: { state: Listed }) {
  const t = useNotificationsTexts();
  const chosen = state.filters.category;
  return (
    <Stack direction="row" role="group" aria-label={t('notifications.category')} sx={{ gap: 1, flexWrap: 'wrap', padding: { xs: '12px 16px', sm: '12px 24px' } }}>
      {notificationCategories.map((category) => {
        const isChosen = chosen === category;
        // used as: 'notifications.category_*'
        return <Chip key={category} label={t(`notifications.category_${category}`)} component="button" type="button" clickable aria-pressed={isChosen} color={isChosen ? 'primary' : 'default'} variant={isChosen ? 'filled' : 'outlined'} onClick={() => state.setFilter('category', isChosen ? undefined : category)} />;
      })}
    </Stack>
  );
}

/** Marks every unread one; asks first when that is more than what the list shows. */
function ReadAll({ unread, isNarrowed }: { unread: number; isNarrowed: boolean }) {
  const t = useNotificationsTexts();
  const format = useFormat();
  const [isAsking, setIsAsking] = useState(false);
  const readAll = useCall(notificationsApi.readAll, {
    invalidates: [notificationsKey()],
    onSuccess: ({ changed }) => toast.success(t('notifications.read_done', { count: format.number(changed) })),
    onError: (error) => !isAsking && toast.failure(error),
  });
  return (
    <>
      <Button variant="outlined" startIcon={<DoneAllOutlined />} disabled={unread === 0} loading={readAll.isPending} loadingPosition="start" onClick={() => (isNarrowed ? setIsAsking(true) : readAll.mutate({}))}>{t('notifications.read_all')}</Button>
      <ConfirmDialog
        open={isAsking}
        title={t('notifications.read_all_ask', { count: format.number(unread) })}
        consequences={[t('notifications.read_all_beyond')]}
        confirmLabel={t('notifications.read_all')}
        onConfirm={() => readAll.mutateAsync({})}
        onClose={() => setIsAsking(false)}
      />
    </>
  );
}
