// Notifications grouped by day, with their actions always visible.
import DeleteOutlined from '~icons/ic/outline-delete';
import DraftsOutlined from '~icons/ic/outline-drafts';
import MarkEmailUnreadOutlined from '~icons/ic/outline-mark-email-unread';
import NotificationsNoneOutlined from '~icons/ic/outline-notifications-none';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useCallback, useState } from 'react';
import { Link } from 'react-router';
import type { LocalDay } from '#kernel/shape.ts';
import { addDays, dayOf } from '#kernel/time.ts';
import type { Notification } from '../contract.ts';
import { useNow } from '#platform/web/time/clock.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { EmptyState, NoMatch } from '#platform/web/ui/EmptyState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { notificationsApi, notificationsKey } from './api.ts';
import { Deliveries } from './Deliveries.tsx';
import { NotificationLine } from './NotificationLine.tsx';
import { useInboxKeys } from './use-inbox-keys.ts';

export type NotificationDaysProps = {
  readonly items: readonly Notification[];
  readonly isUnread: boolean;
  readonly isSearched: boolean;
  readonly hasCategory: boolean;
  readonly isNarrowed: boolean;
  readonly onClear: () => void;
};

export function NotificationDays({
  items,
  isUnread,
  isSearched,
  hasCategory,
  isNarrowed,
  onClear,
}: NotificationDaysProps) {
  const { t } = useTranslation('notifications');
  const dayOf = useDayOf();
  const [toDelete, setToDelete] = useState<Notification>();
  const { mutate: mark } = useCall(notificationsApi.markNotification, {
    invalidates: [notificationsKey()],
    onError: toast.failure,
  });
  const find = useCallback((id: string) => items.find((item) => item.id === id), [items]);
  useInboxKeys({
    remove: useCallback((id) => setToDelete(find(id)), [find]),
    mark: useCallback(
      (id, read) => {
        const item = find(id);
        if (item && item.read !== read) mark({ notificationId: item.id, read });
      },
      [find, mark],
    ),
  });
  if (items.length === 0 && isUnread && !isSearched)
    return (
      <EmptyState
        icon={<NotificationsNoneOutlined />}
        title={t('notifications.none_unread')}
        hint={t(hasCategory ? 'notifications.none_unread_here' : 'notifications.none_unread_hint')}
        action={
          <Button variant="outlined" onClick={onClear}>
            {t('notifications.show_all')}
          </Button>
        }
      />
    );
  if (items.length === 0)
    return isNarrowed ? (
      <NoMatch onClear={onClear} />
    ) : (
      <EmptyState
        icon={<NotificationsNoneOutlined />}
        title={t('notifications.empty')}
        hint={t('notifications.empty_hint')}
      />
    );
  const days = [...Map.groupBy(items, (item) => dayOf.key(item.createdAt))];
  return (
    <>
      {days.map(([day, ofDay]) => (
        <Box component="section" key={day} aria-label={dayOf.name(day)}>
          <Typography
            variant="caption"
            component="h2"
            color="textSecondary"
            sx={{
              fontWeight: 700,
              padding: { xs: '6px 16px', sm: '6px 24px' },
              bgcolor: 'sunken',
              borderBlock: '1px solid',
              borderColor: 'divider',
            }}
          >
            {dayOf.name(day)}
          </Typography>
          <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
            {ofDay.map((item) => (
              <NotificationRow key={item.id} item={item} onDelete={() => setToDelete(item)} />
            ))}
          </Box>
        </Box>
      ))}
      {toDelete && <Deletion item={toDelete} onClose={() => setToDelete(undefined)} />}
    </>
  );
}

function NotificationRow({ item, onDelete }: { item: Notification; onDelete: () => void }) {
  const { t } = useTranslation('notifications');
  const mark = useCall(notificationsApi.markNotification, {
    invalidates: [notificationsKey()],
    onError: toast.failure,
  });
  const set = (read: boolean) => mark.mutate({ notificationId: item.id, read });
  const toggle = t(item.read ? 'notifications.mark_unread' : 'notifications.mark_read');
  return (
    <Box
      component="li"
      tabIndex={-1}
      data-notification={item.id}
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
        <NotificationLine notification={item}>
          <Deliveries deliveries={item.deliveries} />
        </NotificationLine>
      </Box>
      <Stack direction="row" sx={{ gap: 0.5, marginInlineStart: 'auto', alignItems: 'center' }}>
        {item.link !== null && (
          <Button
            size="small"
            component={Link}
            to={item.link}
            aria-label={t('notifications.open_named', { message: item.message })}
            onClick={() => !item.read && set(true)}
          >
            {t('notifications.open')}
          </Button>
        )}
        <Tooltip title={toggle}>
          <IconButton
            aria-label={t(item.read ? 'notifications.mark_unread_named' : 'notifications.mark_read_named', {
              message: item.message,
            })}
            onClick={() => set(!item.read)}
          >
            {item.read ? <MarkEmailUnreadOutlined /> : <DraftsOutlined />}
          </IconButton>
        </Tooltip>
        <Tooltip title={t('notifications.delete')}>
          <IconButton
            aria-label={t('notifications.delete_named', { message: item.message })}
            onClick={onDelete}
          >
            <DeleteOutlined />
          </IconButton>
        </Tooltip>
      </Stack>
    </Box>
  );
}

/** Confirms the deletion, as the specification requires, and offers undo afterwards. */
function Deletion({ item, onClose }: { item: Notification; onClose: () => void }) {
  const { t } = useTranslation('notifications');
  const restore = useCall(notificationsApi.restoreNotification, {
    invalidates: [notificationsKey()],
    onSuccess: () => toast.success(t('notifications.restored')),
    onError: toast.failure,
  });
  const remove = useCall(notificationsApi.deleteNotification, {
    invalidates: [notificationsKey()],
    onSuccess: () =>
      toast.success(t('notifications.deleted'), {
        label: t('notifications.undo'),
        onClick: () => restore.mutate({ notificationId: item.id }),
      }),
  });
  return (
    <ConfirmDialog
      open
      tone="danger"
      title={t('notifications.delete_ask')}
      consequences={[t('notifications.delete_day'), t('notifications.delete_keeps')]}
      confirmLabel={t('notifications.delete_confirm')}
      onConfirm={() => remove.mutateAsync({ notificationId: item.id })}
      onClose={onClose}
    >
      {item.message}
    </ConfirmDialog>
  );
}

/** A time's local day and its name: today, yesterday, or the date. */
function useDayOf() {
  const { t } = useTranslation('notifications');
  const format = useFormat();
  const now = useNow();
  const key = (moment: Date): LocalDay => dayOf(moment, format.timeZone);
  const today = key(now);
  return {
    key,
    name: (day: string): string =>
      day === today
        ? t('notifications.today')
        : day === addDays(today, -1)
          ? t('notifications.yesterday')
          : format.day(day),
  };
}
