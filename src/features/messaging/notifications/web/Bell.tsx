// The bell in the top bar: the unread count, the newest five, and an alert for each new one.
import NotificationsNoneOutlined from '~icons/ic/outline-notifications-none';
import Badge from '@mui/material/Badge';
import IconButton from '@mui/material/IconButton';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Notification } from '../contract.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { Hint } from '#platform/web/ui/Hint.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { notificationsApi, notificationsKey, notificationsQueries } from './api.ts';
import { useAlerts } from './use-alerts.ts';

const BellPopover = lazyComponent(() =>
  import('./BellPopover.tsx').then((module) => module.BellPopover),
).Component;
const PreferencesDialog = lazyComponent(() =>
  import('./PreferencesDialog.tsx').then((module) => module.PreferencesDialog),
).Component;
const shown = 5;
/** The search parameter, and its value, that opens the preferences over a page. */
const preferences = { parameter: 'preferences', value: 'notifications' } as const;

export type BellProps = {
  /** The page of all notifications; undefined for roles without it in their menu. */
  readonly allPath?: string | undefined;
  /** Whether this reader may open a path; other links are not shown. */
  readonly mayOpen: (path: string) => boolean;
};

export function Bell({ allPath, mayOpen }: BellProps) {
  const { t } = useTranslation('notifications');
  const format = useFormat();
  const navigate = useNavigate();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [opened, setOpened] = useParam(preferences.parameter);
  const query = useQuery(notificationsQueries.listNotifications({ limit: shown }));
  const mark = useCall(notificationsApi.markNotification, { invalidates: [notificationsKey()] });
  useLive('notifications', [notificationsKey()]);
  const pathOf = ({ link }: Notification): string | undefined =>
    link !== null && mayOpen(link.split('?')[0] ?? '') ? link : undefined;
  const follow = (notification: Notification) => {
    setAnchor(null);
    if (!notification.read) mark.mutate({ notificationId: notification.id, read: true });
  };
  useAlerts(query.data?.items, (notification) => {
    const to = pathOf(notification);
    if (to === undefined) return undefined;
    return {
      label: t('notifications.open'),
      onClick: () => {
        follow(notification);
        void navigate(to);
      },
    };
  });
  const unread = query.data?.unread ?? 0;
  const label =
    unread === 0 ? t('notifications.bell') : t('notifications.bell_unread', { count: format.number(unread) });
  return (
    <>
      <Hint text={label}>
        <IconButton
          aria-label={label}
          aria-haspopup="dialog"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <Badge
            badgeContent={unread === 0 ? undefined : unread}
            max={99}
            color="error"
            slotProps={{ badge: { 'aria-hidden': true, className: 'tabular' } }}
            sx={{
              '& .MuiBadge-badge': {
                top: -2,
                insetInlineEnd: -4,
                minWidth: 18,
                height: 18,
                padding: '0 4px',
                fontSize: 12,
                fontWeight: 700,
                border: '1px solid',
                borderColor: 'appBar.text',
              },
            }}
          >
            <NotificationsNoneOutlined />
          </Badge>
        </IconButton>
      </Hint>
      {anchor && (
        <Suspense fallback={null}>
          <BellPopover
            anchor={anchor}
            query={query}
            allPath={allPath}
            pathOf={pathOf}
            onFollow={follow}
            onPreferences={() => {
              setAnchor(null);
              setOpened(preferences.value);
            }}
            onClose={() => setAnchor(null)}
          />
        </Suspense>
      )}
      {allPath === undefined && opened === preferences.value && (
        <Suspense fallback={null}>
          <PreferencesDialog onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </>
  );
}
