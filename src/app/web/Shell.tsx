// The frame of all signed-in screens: top bar, sidebar, content (R-SHELL-03 to 08).
import Box from '@mui/material/Box';
import { Suspense, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { Outlet, useLocation } from 'react-router';
import { askLiveTicket, loadListPart, useSessionWatch } from '#features/access/identity/web/parts.ts';
import { useAuthStore, useViewing } from '#platform/web/session/auth-store.ts';
import { useAfterFirstScreen, useFirstScreen } from '#platform/web/loading/first-screen.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { useTranslation, withTexts } from '#platform/web/i18n/i18n.ts';
import { useLayoutStore } from '#platform/web/shell/layout-store.ts';
import { topicsOf, useLiveConnection } from '#platform/web/live/live.ts';
import { useEnrolment } from '#platform/web/session/session.ts';
import { FirstScreen } from '#platform/web/ui/FirstScreen.tsx';
import { ListPartContext } from '#platform/web/ui/list-slots.ts';
import { Trail } from '#platform/web/ui/Page.tsx';
import { Spinner } from '#platform/web/ui/Spinner.tsx';
import { breadcrumbTo } from '../menu-pages.ts';
import { landingPathOf, linksOf, mayOpen, menuOf } from '../menu.ts';
import { leadWaiting } from '#platform/web/toasts/waiting-notice.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { useFollow } from './follow.ts';
import { LoadingPage } from './LoadingPage.tsx';
import { canKeepBills } from './offline-bill.ts';
import { OfflineNotice } from './OfflineNotice.tsx';
import { ShellPalette } from './palette/ShellPalette.tsx';
import { ShellBell } from './ShellBell.tsx';
import { ShellProof } from './ShellProof.tsx';
import { sidebarWidth } from './sidebar-width.ts';
import { TopBar } from './TopBar.tsx';

// The menu is initially hidden, so its code is loaded after the screen, or when the user opens it.
const sidebar = lazyComponent(() => import('./Sidebar.tsx').then((module) => module.Sidebar));

const KeepOfflineBill = lazyComponent(() =>
  withTexts(import('./KeepOfflineBill.tsx'), 'billing').then((module) => module.KeepOfflineBill),
).Component;

/** A user's saved views and columns; the code is loaded when a list needs it. */
const listPart = { Part: lazyComponent(loadListPart).Component };

export function Shell() {
  const { t } = useTranslation('app');
  const isLoading = useAuthStore((auth) => auth.isLoading);
  const user = useAuthStore((auth) => (auth.isAuthenticated ? auth.user : null));
  // A user who must first set up a second factor cannot use the frame either.
  const hasMenu = !useEnrolment((enrolment) => enrolment.mustEnrol) && user !== null;
  const isOpen = useDeferredValue(useLayoutStore((layout) => layout.sidebarShow)) && hasMenu;
  const isFirstScreenDone = useFirstScreen((screen) => screen.stands);
  const hasSidebar = useAfterFirstScreen(sidebar, hasMenu);
  // An Admin who views as a user does not receive that user's live messages.
  const isViewing = useViewing((viewing) => viewing.viewer !== null);
  const isKeeping = useLayoutStore((layout) => layout.offlineBill);
  const keepsBill = hasMenu && isKeeping && !isViewing && user.role !== 'Admin' && canKeepBills();
  useLiveConnection(
    isLoading || isViewing || !user ? null : { id: user.id, topics: topicsOf(user) },
    askLiveTicket,
    isFirstScreenDone,
  );
  useSessionWatch();
  const follow = useFollow();
  useEffect(() => leadWaiting((approvalId) => follow(`/admin/approvals?approval=${approvalId}`)), [follow]);
  if (isLoading) return <LoadingPage />;
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: '100dvh' }}>
      <Box
        component="a"
        href="#main"
        data-screen-only
        sx={{
          position: 'absolute',
          left: 8,
          top: -60,
          zIndex: 'tooltip',
          padding: '8px 16px',
          bgcolor: 'background.paper',
          color: 'text.primary',
          border: '1px solid',
          borderColor: 'control',
          '&:focus': { top: 8 },
        }}
      >
        {t('shell.skip')}
      </Box>
      <TopBar
        hasMenu={hasMenu}
        search={hasMenu && <ShellPalette role={user.role} />}
        bell={hasMenu && <ShellBell />}
        account={(onSettings) => user && <AccountMenu user={user} onSettings={onSettings} />}
      />
      {keepsBill && (
        <Suspense fallback={null}>
          <KeepOfflineBill />
        </Suspense>
      )}
      {hasMenu && (hasSidebar || isOpen) && (
        <Suspense fallback={null}>
          <sidebar.Component items={menuOf(user)} />
        </Suspense>
      )}
      <Box
        sx={(theme) => ({
          flex: 1,
          display: 'flex',
          flexDirection: 'column',
          minWidth: 0,
          transition: theme.transitions.create('margin-left', { duration: 240 }),
          [theme.breakpoints.up('md')]: { marginLeft: isOpen ? `${sidebarWidth}px` : 0 },
          '@media print': { marginLeft: '0 !important' },
        })}
      >
        <OfflineNotice />
        <Content />
      </Box>
      <ShellProof />
    </Box>
  );
}

function Content() {
  const { t } = useTranslation('app');
  const { pathname } = useLocation();
  const user = useAuthStore((auth) => auth.user);
  const main = useRef<HTMLElement>(null);
  const wasOpened = useRef(false);
  // The first screen renders after its frame, in a separate render: drawing both at once blocks a slow phone
  // for too long.
  const isFrameDrawn = useDeferredValue(true, false);
  // After a change of screen, the focus moves from the menu to the start of the screen.
  useEffect(() => {
    if (wasOpened.current) main.current?.focus({ preventScroll: true });
    wasOpened.current = true;
  }, [pathname]);
  const trail = useMemo(() => {
    const menu = menuOf(user);
    const above = breadcrumbTo(menu, pathname)
      .slice(0, -1)
      .map((item) => ({ label: t(item.label) }));
    const first = linksOf(menu)[0];
    // In the breadcrumbs, top-level and unlisted pages are below the landing page.
    return first && first.path !== pathname && above.length === 0 && mayOpen(user, pathname)
      ? [{ label: t(first.label), path: landingPathOf(user) }]
      : above;
  }, [user, pathname, t]);
  return (
    <Box
      component="main"
      id="main"
      ref={main}
      tabIndex={-1}
      sx={{ flex: 1, display: 'flex', flexDirection: 'column', minWidth: 0, '&:focus': { outline: 'none' } }}
    >
      <Trail value={trail}>
        <ListPartContext value={listPart}>
          <Suspense key={pathname} fallback={<Spinner />}>
            {isFrameDrawn && (
              <>
                <Outlet />
                <FirstScreen />
              </>
            )}
          </Suspense>
        </ListPartContext>
      </Trail>
    </Box>
  );
}
