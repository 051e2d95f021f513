// Notifications deleted within the last day, with a way to restore them.
import RestoreOutlined from '~icons/ic/outline-restore';
import NotificationsNoneOutlined from '~icons/ic/outline-notifications-none';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Pager } from '#platform/web/ui/Pager.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import type { FilterValues, TableState } from '#platform/web/ui/table-state.ts';
import { notificationsApi, notificationsKey, notificationsQueries } from './api.ts';
import { NotificationLine } from './NotificationLine.tsx';

export function DeletedList<F extends FilterValues>({ state }: { state: TableState<F> }) {
  const { t } = useTranslation('notifications');
  const { limit, cursor } = state.query;
  const query = useQuery(
    notificationsQueries.listDeleted({ limit, ...(cursor !== undefined && { cursor }) }),
  );
  const restore = useCall(notificationsApi.restoreNotification, {
    invalidates: [notificationsKey()],
    onSuccess: () => toast.success(t('notifications.restored')),
    onError: toast.failure,
  });
  return (
    <>
      <QueryState query={query} skeleton={<Lines count={8} padded />}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              icon={<NotificationsNoneOutlined />}
              title={t('notifications.none_deleted')}
              hint={t('notifications.none_deleted_hint')}
            />
          ) : (
            <Box
              component="ul"
              aria-label={t('notifications.deleted_lately')}
              sx={{
                listStyle: 'none',
                margin: 0,
                padding: 0,
                borderTop: '1px solid',
                borderColor: 'divider',
              }}
            >
              {items.map((item) => (
                <Box
                  component="li"
                  key={item.id}
                  sx={{
                    display: 'flex',
                    flexWrap: 'wrap',
                    gap: '4px 16px',
                    alignItems: 'center',
                    padding: { xs: '12px 16px', sm: '12px 16px 12px 24px' },
                    '& + &': { borderTop: '1px solid', borderColor: 'divider' },
                  }}
                >
                  <Box sx={{ flex: '1 1 320px', minWidth: 0 }}>
                    <NotificationLine notification={item} />
                  </Box>
                  <Button
                    size="small"
                    startIcon={<RestoreOutlined />}
                    aria-label={t('notifications.restore_named', { message: item.message })}
                    onClick={() => restore.mutate({ notificationId: item.id })}
                    sx={{ marginInlineStart: 'auto' }}
                  >
                    {t('notifications.undo')}
                  </Button>
                </Box>
              ))}
            </Box>
          )
        }
      </QueryState>
      {query.data && query.data.items.length > 0 && <Pager page={query.data} state={state} />}
    </>
  );
}
