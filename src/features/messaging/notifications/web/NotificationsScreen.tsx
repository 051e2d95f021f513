// A user's notifications: the inbox, preferences, and for Admins previews of its e-mails (R-NOTE-02).
import Tab from '@mui/material/Tab';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { Lines } from '#platform/web/ui/QueryState.tsx';
import { ScrollableTabs } from '#platform/web/ui/ScrollableTabs.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { notificationsQueries } from './api.ts';
import { Inbox } from './Inbox.tsx';

const PreferencesPanel = lazyComponent(() =>
  import('./PreferencesPanel.tsx').then((module) => module.PreferencesPanel),
).Component;
const TemplatesPanel = lazyComponent(() =>
  import('./TemplatesPanel.tsx').then((module) => module.TemplatesPanel),
).Component;

const panels = { inbox: Inbox, preferences: PreferencesPanel, templates: TemplatesPanel } as const;
type PanelName = keyof typeof panels;

export function NotificationsScreen() {
  const { t } = useTranslation('notifications');
  const format = useFormat();
  const isAdmin = useAuthStore((auth) => auth.user?.role.trim() === 'Admin');
  const [wanted, setTab] = useParam('tab');
  const names: readonly PanelName[] = isAdmin
    ? ['inbox', 'preferences', 'templates']
    : ['inbox', 'preferences'];
  const tab = names.find((name) => name === wanted) ?? 'inbox';
  // The same query as the bell's, so that both share one request.
  const unread = useQuery(notificationsQueries.listNotifications({ limit: 5 })).data?.unread ?? 0;
  const Panel = panels[tab];
  // used as: 'notifications.tab_*'
  return (
    <Page title={t('notifications.title')} width={tab === 'templates' ? 'full' : 'list'}>
      <ScrollableTabs
        value={tab}
        onChange={(_, next: PanelName) => setTab(next === 'inbox' ? undefined : next)}
        aria-label={t('notifications.title')}
      >
        {names.map((name) => (
          <Tab
            key={name}
            value={name}
            label={
              name === 'inbox' && unread > 0
                ? t('notifications.tab_inbox_count', { count: format.number(unread) })
                : t(`notifications.tab_${name}`)
            }
          />
        ))}
      </ScrollableTabs>
      <Suspense fallback={<Lines count={8} padded />}>
        <Panel />
      </Suspense>
    </Page>
  );
}
