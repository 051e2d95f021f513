// The bell's popover: the newest notifications, a button to mark all as read, and a link to the whole list.
import DoneAllOutlined from '~icons/ic/outline-done-all';
import NotificationsNoneOutlined from '~icons/ic/outline-notifications-none';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import Stack from '@mui/material/Stack';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import type { Out } from '#kernel/contract.ts';
import type { Notification, notifications } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Lines, QueryState, type QueryStateProps } from '#platform/web/ui/QueryState.tsx';
import { notificationsApi, notificationsKey } from './api.ts';
import { Activity } from './Activity.tsx';
import { NotificationLine } from './NotificationLine.tsx';

export type BellPopoverProps = {
  readonly anchor: HTMLElement;
  readonly query: QueryStateProps<Out<typeof notifications.listNotifications>>['query'];
  readonly allPath: string | undefined;
  /** Opens the preferences, for roles without a page of them. */
  readonly onPreferences: () => void;
  readonly pathOf: (notification: Notification) => string | undefined;
  readonly onFollow: (notification: Notification) => void;
  readonly onClose: () => void;
};

export function BellPopover({
  anchor,
  query,
  allPath,
  pathOf,
  onFollow,
  onPreferences,
  onClose,
}: BellPopoverProps) {
  const { t } = useTranslation('notifications');
  const heading = useId();
  const [tab, setTab] = useState<'notices' | 'activity'>('notices');
  const readAll = useCall(notificationsApi.readAll, {
    invalidates: [notificationsKey()],
    onError: toast.failure,
  });
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-labelledby': heading,
          sx: { width: 400, maxWidth: 'calc(100vw - 32px)', marginTop: '12px' },
        },
      }}
    >
      <Stack
        direction="row"
        sx={{ alignItems: 'center', justifyContent: 'space-between', gap: 1, padding: '10px 8px 0 16px' }}
      >
        <Typography id={heading} variant="h3" component="h2">
          {t('notifications.title')}
        </Typography>
        <Button
          size="small"
          startIcon={<DoneAllOutlined />}
          disabled={(query.data?.unread ?? 0) === 0}
          loading={readAll.isPending}
          loadingPosition="start"
          onClick={() => readAll.mutate({})}
        >
          {t('notifications.read_all')}
        </Button>
      </Stack>
      <Tabs
        value={tab}
        onChange={(_, next: typeof tab) => setTab(next)}
        aria-label={t('notifications.bell_tabs')}
        sx={{ paddingInline: 1, borderBottom: '1px solid', borderColor: 'divider' }}
      >
        <Tab value="notices" label={t('notifications.tab_notices')} />
        <Tab value="activity" label={t('notifications.tab_activity')} />
      </Tabs>
      {tab === 'activity' ? <Activity /> : <Newest query={query} pathOf={pathOf} onFollow={onFollow} />}
      <Box sx={{ padding: '8px', borderTop: '1px solid', borderColor: 'divider' }}>
        {allPath === undefined ? (
          <Button fullWidth onClick={onPreferences}>
            {t('notifications.own_preferences')}
          </Button>
        ) : (
          <Button fullWidth component={Link} to={allPath} onClick={onClose}>
            {t('notifications.show_all')}
          </Button>
        )}
      </Box>
    </Popover>
  );
}

/** The newest notifications, each with its link. */
function Newest({ query, pathOf, onFollow }: Pick<BellPopoverProps, 'query' | 'pathOf' | 'onFollow'>) {
  const { t } = useTranslation('notifications');
  return (
    <QueryState
      query={query}
      skeleton={
        <Box sx={{ padding: 2 }}>
          <Lines count={5} />
        </Box>
      }
    >
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState
            compact
            icon={<NotificationsNoneOutlined />}
            title={t('notifications.empty')}
            hint={t('notifications.empty_hint')}
          />
        ) : (
          <Box
            component="ul"
            aria-label={t('notifications.newest')}
            sx={{ listStyle: 'none', margin: 0, padding: 0 }}
          >
            {items.map((item) => (
              <Box
                component="li"
                key={item.id}
                sx={{ padding: '12px 16px', '& + &': { borderTop: '1px solid', borderColor: 'divider' } }}
              >
                <NotificationLine notification={item} to={pathOf(item)} onOpen={() => onFollow(item)} />
              </Box>
            ))}
          </Box>
        )
      }
    </QueryState>
  );
}
