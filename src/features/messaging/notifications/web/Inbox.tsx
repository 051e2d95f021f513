// The inbox: unread, all or recently deleted notifications, by category and search, grouped by day, each with
// actions.
import DeleteSweepOutlined from '~icons/ic/outline-delete-sweep';
import DoneAllOutlined from '~icons/ic/outline-done-all';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Chip from '@mui/material/Chip';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { notificationCategories } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Pager } from '#platform/web/ui/Pager.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SearchField } from '#platform/web/ui/SearchField.tsx';
import { useTableState, type TableState } from '#platform/web/ui/table-state.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { notificationsApi, notificationsKey, notificationsQueries } from './api.ts';
import { DeletedList } from './DeletedList.tsx';
import { NotificationDays } from './NotificationDays.tsx';

const views = ['all', 'unread', 'deleted'] as const;
const filters = { view: ['unread', 'deleted'], category: notificationCategories } as const;
type Listed = TableState<typeof filters>;

export function Inbox() {
  const state: Listed = useTableState({ filters });
  useLive('notifications', [notificationsKey()]);
  return (
    <Card sx={{ minWidth: 0, overflow: 'clip' }}>
      <Controls state={state} />
      {state.filters.view === 'deleted' ? <DeletedList state={state} /> : <Listing state={state} />}
    </Card>
  );
}

/** The list's filter, as input for the calls that change all its notifications. */
const filterOf = ({ query: { view, category, q } }: Listed) => ({
  ...(view === 'unread' && { unread: true }),
  ...(category && { category }),
  ...(q !== undefined && { q }),
});

function Listing({ state }: { state: Listed }) {
  const { view, ...rest } = state.query;
  const query = usePagedQuery(
    notificationsQueries.listNotifications({ ...rest, ...(view === 'unread' && { unread: true }) }),
  );
  return (
    <>
      <Box aria-busy={query.isPlaceholderData} sx={{ opacity: query.isPlaceholderData ? 0.6 : 1 }}>
        <QueryState query={query} skeleton={<Lines count={8} padded />}>
          {(page) => (
            <>
              <NotificationDays
                items={page.items}
                isUnread={view === 'unread'}
                isSearched={state.search !== ''}
                hasCategory={state.filters.category !== undefined}
                isNarrowed={state.isNarrowed}
                onClear={state.clear}
              />
              {page.items.length > 0 && <Pager page={page} state={state} />}
            </>
          )}
        </QueryState>
      </Box>
    </>
  );
}

function Controls({ state }: { state: Listed }) {
  const { t } = useTranslation('notifications');
  const format = useFormat();
  const { view, category, q } = state.query;
  const page = useQuery(
    notificationsQueries.listNotifications({
      limit: state.query.limit,
      ...(view === 'unread' && { unread: true }),
      ...(category && { category }),
      ...(q !== undefined && { q }),
    }),
  ).data;
  const unread = page?.unread ?? 0;
  return (
    <Stack sx={{ gap: 1.5, padding: { xs: '12px 16px', sm: '16px 24px 12px' } }}>
      <Stack direction="row" sx={{ gap: '8px 12px', flexWrap: 'wrap', alignItems: 'center' }}>
        <ToggleButtonGroup
          exclusive
          size="small"
          value={view ?? 'all'}
          aria-label={t('notifications.which')}
          onChange={(_, next: (typeof views)[number] | null) =>
            next !== null && state.setFilter('view', next === 'all' ? undefined : next)
          }
        >
          <ToggleButton value="unread">
            {unread === 0
              ? t('notifications.unread')
              : t('notifications.unread_count', { count: format.number(unread) })}
          </ToggleButton>
          <ToggleButton value="all">{t('notifications.all')}</ToggleButton>
          <ToggleButton value="deleted">{t('notifications.deleted_lately')}</ToggleButton>
        </ToggleButtonGroup>
        {view !== 'deleted' && (
          <SearchField value={state.search} onSearch={state.setSearch} label={t('notifications.search')} />
        )}
      </Stack>
      {view !== 'deleted' && (
        <Stack
          direction="row"
          sx={{ gap: '8px 16px', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between' }}
        >
          <Categories state={state} />
          <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
            <ReadAll state={state} unread={unread} />
            <DeleteAll state={state} total={page?.total ?? 0} />
          </Stack>
        </Stack>
      )}
    </Stack>
  );
}

function Categories({ state }: { state: Listed }) {
  const { t } = useTranslation('notifications');
  const chosen = state.filters.category;
  return (
    <Stack
      direction="row"
      role="group"
      aria-label={t('notifications.category')}
      sx={{ gap: 1, flexWrap: 'wrap' }}
    >
      {notificationCategories.map((category) => {
        const isChosen = chosen === category;
        // used as: 'notifications.category_*'
        return (
          <Chip
            key={category}
            label={t(`notifications.category_${category}`)}
            component="button"
            type="button"
            clickable
            aria-pressed={isChosen}
            color={isChosen ? 'primary' : 'default'}
            variant={isChosen ? 'filled' : 'outlined'}
            onClick={() => state.setFilter('category', isChosen ? undefined : category)}
          />
        );
      })}
    </Stack>
  );
}

/**
 * Marks all unread notifications of the list as read. With a filter, it asks first, because the count at the
 * bell covers all.
 */
function ReadAll({ state, unread }: { state: Listed; unread: number }) {
  const { t } = useTranslation('notifications');
  const format = useFormat();
  const [isAsking, setIsAsking] = useState(false);
  const isSome = state.filters.category !== undefined || state.search !== '';
  const readAll = useCall(notificationsApi.readAll, {
    invalidates: [notificationsKey()],
    onSuccess: ({ changed }) =>
      toast.success(t('notifications.read_done', { count: format.number(changed) })),
    onError: (error) => !isAsking && toast.failure(error),
  });
  const act = () => readAll.mutateAsync(filterOf(state));
  return (
    <>
      <Button
        size="small"
        variant="outlined"
        startIcon={<DoneAllOutlined />}
        disabled={unread === 0}
        loading={readAll.isPending}
        loadingPosition="start"
        onClick={() => (isSome ? setIsAsking(true) : readAll.mutate(filterOf(state)))}
      >
        {t('notifications.read_all')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={t('notifications.read_some_ask')}
        consequences={[t('notifications.read_some_only', { count: format.number(unread) })]}
        confirmLabel={t('notifications.read_all')}
        onConfirm={act}
        onClose={() => setIsAsking(false)}
      />
    </>
  );
}

/** Deletes all notifications of the list; they can be restored for a day. */
function DeleteAll({ state, total }: { state: Listed; total: number }) {
  const { t } = useTranslation('notifications');
  const format = useFormat();
  const [isAsking, setIsAsking] = useState(false);
  const restore = useCall(notificationsApi.restoreDeletion, {
    invalidates: [notificationsKey()],
    onSuccess: ({ restored }) =>
      toast.success(t('notifications.restored_count', { count: format.number(restored) })),
    onError: toast.failure,
  });
  const remove = useCall(notificationsApi.deleteAll, {
    invalidates: [notificationsKey()],
    onSuccess: ({ deleted, deletionId }) =>
      toast.success(t('notifications.deleted_count', { count: format.number(deleted) }), {
        label: t('notifications.undo'),
        onClick: () => restore.mutate({ deletionId }),
      }),
  });
  return (
    <>
      <Button
        aria-haspopup="dialog"
        size="small"
        variant="outlined"
        color="error"
        startIcon={<DeleteSweepOutlined />}
        disabled={total === 0}
        onClick={() => setIsAsking(true)}
      >
        {t(state.isNarrowed ? 'notifications.delete_found' : 'notifications.delete_all')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        tone="danger"
        title={t(state.isNarrowed ? 'notifications.delete_found_ask' : 'notifications.delete_all_ask', {
          count: format.number(total),
        })}
        consequences={[t('notifications.delete_day'), t('notifications.delete_keeps')]}
        confirmLabel={t('notifications.delete_count', { count: format.number(total) })}
        onConfirm={() => remove.mutateAsync(filterOf(state))}
        onClose={() => setIsAsking(false)}
      />
    </>
  );
}
