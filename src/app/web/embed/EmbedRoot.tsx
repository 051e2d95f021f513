// The portal: the pages that a link opens, with the customer's own screens, without menu, header or sign-out.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import { useColorScheme } from '@mui/material/styles';
import { Suspense, useEffect, useRef, useState } from 'react';
import { MemoryRouter, Navigate, Route, Routes, useLocation, useNavigate } from 'react-router';
import { accentTones } from '#kernel/accent.ts';
import type { Id } from '#kernel/ids.ts';
import type { OpenedPortal, PortalPage } from '#features/access/portal/contract.ts';
import { askLiveTicket, identityApi } from '#features/access/identity/web/parts.ts';
import { portalTopics } from '#features/access/portal/web/parts.ts';
import { paymentsApi, usePayment } from '#features/receivables/payments/web/parts.ts';
import { subscriptionsApi } from '#features/selling/subscriptions/web/parts.ts';
import { queryCache } from '#platform/web/api/queries.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { onLive, useLiveConnection } from '#platform/web/live/live.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { onSessionLost } from '#platform/web/session/session.ts';
import { FirstScreen } from '#platform/web/ui/FirstScreen.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { ScrollableTabs } from '#platform/web/ui/ScrollableTabs.tsx';
import { Spinner } from '#platform/web/ui/Spinner.tsx';
import { CrashBoundary } from '../CrashBoundary.tsx';
import { useBrandFromStatus } from '../system.ts';
import { tellHost } from './host.ts';
import { openPortal } from './open-portal.ts';
import { whatWasPaid } from './what-was-paid.ts';

/** The console's path of each page, so that links between them lead to the right tab. */
const paths: Readonly<Record<PortalPage, string>> = {
  usage: '/usage/statistics',
  bills: '/billing/management',
  paymentMethods: '/billing/payment-methods',
  subscriptions: '/cloud-service/management',
};
const part = (name: keyof typeof import('./embedded-screens.tsx')) =>
  lazyComponent(async () => (await import('./embedded-screens.tsx'))[name]()).Component;
const screens: Readonly<Record<PortalPage, ReturnType<typeof part>>> = {
  usage: part('loadPortalUsage'),
  bills: part('loadPortalBills'),
  paymentMethods: part('loadPortalCards'),
  subscriptions: part('loadPortalSubscriptions'),
};

const Toasts = lazyComponent(() =>
  import('#platform/web/ui/Toasts.tsx').then((module) => module.Toasts),
).Component;

/** `whenReady` settles when texts can be shown. */
export function EmbedRoot({ whenReady }: { readonly whenReady: Promise<unknown> }) {
  const [opened, setOpened] = useState<OpenedPortal | 'over'>();
  useEffect(() => {
    void whenReady.then(openPortal).then(setOpened, () => setOpened('over'));
    return onSessionLost(() => {
      tellHost({ type: 'expired' });
      setOpened('over');
    });
  }, [whenReady]);
  useHeight();
  if (opened === undefined) return <Spinner page />;
  return (
    <CrashBoundary>
      <Suspense fallback={null}>
        <Toasts />
      </Suspense>
      <Suspense fallback={<Spinner page />}>
        {opened === 'over' ? <PortalEnded /> : <Portal opened={opened} />}
      </Suspense>
    </CrashBoundary>
  );
}

/** Reports the content's height to the host page whenever it changes. */
function useHeight(): void {
  useEffect(() => {
    const root = document.getElementById('root');
    if (!root) return undefined;
    const watcher = new ResizeObserver(() =>
      tellHost({ type: 'height', height: Math.ceil(root.scrollHeight) }),
    );
    watcher.observe(root);
    return () => watcher.disconnect();
  }, []);
}

function PortalEnded() {
  const { t } = useTranslation('portal');
  return <EmptyState title={t('portal.over_title')} hint={t('portal.over_hint')} />;
}

/**
 * Reports completed actions to the host page. A payment is reported when it has succeeded, not when it was
 * started. Returns the started payments whose provider has not confirmed yet.
 */
function useHostEvents(): readonly Id<'pay'>[] {
  const [started, setStarted] = useState<readonly Id<'pay'>[]>([]);
  useEffect(
    () =>
      queryCache.getMutationCache().subscribe(({ type, mutation }) => {
        if (type !== 'updated' || mutation.state.status !== 'success') return;
        const { call } = mutation.meta ?? {};
        if (call === subscriptionsApi.change) tellHost({ type: 'planChanged' });
        if (call !== paymentsApi.payBill && call !== paymentsApi.payConsolidatedBill) return;
        const answer = whatWasPaid(mutation.state.data);
        if (answer?.isDone) tellHost({ type: 'paid', ...answer.paid });
        else if (answer)
          setStarted((before) =>
            before.includes(answer.paymentId) ? before : [...before, answer.paymentId],
          );
      }),
    [],
  );
  return started;
}

/**
 * A payment that continues in another tab, at its provider: reported to the host page when the money has
 * arrived, whatever is open here.
 */
function StartedPayment({ paymentId }: { readonly paymentId: Id<'pay'> }) {
  const { data } = usePayment(paymentId);
  const isDone = data?.state === 'succeeded';
  useEffect(() => {
    if (isDone) tellHost({ type: 'paid', paymentId });
  }, [isDone, paymentId]);
  return null;
}

/**
 * When an Admin ends the session, the next poll receives a 401, and the portal shows at once that it is over.
 */
function useEndWatch(): void {
  useEffect(
    () =>
      onLive('sessions', () => {
        identityApi.organization().catch(() => {
          // A 401 has ended the session here. If the server cannot be reached, its state is unknown.
        });
      }),
    [],
  );
}

function Portal({ opened }: { readonly opened: OpenedPortal }) {
  const { setMode } = useColorScheme();
  const { pages, theme } = opened;
  const first = paths[pages[0] ?? 'usage'];
  useBrandFromStatus(theme.accent);
  const startedPayments = useHostEvents();
  useLiveConnection(
    { id: opened.linkId, topics: portalTopics(opened.linkId, opened.organizationId, pages) },
    askLiveTicket,
  );
  useEndWatch();
  useEffect(() => setMode(theme.mode === 'auto' ? 'system' : theme.mode), [setMode, theme.mode]);
  useEffect(() => tellHost({ type: 'ready' }), []);
  return (
    <MemoryRouter initialEntries={[first]}>
      {startedPayments.map((paymentId) => (
        <StartedPayment key={paymentId} paymentId={paymentId} />
      ))}
      <PortalTabs opened={opened} />
      <Box component="main" id="main" sx={{ paddingInline: { xs: 2, md: 3 }, paddingBlock: 2 }}>
        <Suspense fallback={<Spinner page />}>
          <Routes>
            {pages.map((page) => {
              const Screen = screens[page];
              return <Route key={page} path={paths[page]} element={<Screen />} />;
            })}
            <Route path="*" element={<Elsewhere first={first} returnUrl={opened.returnUrl} />} />
          </Routes>
          <FirstScreen />
        </Suspense>
      </Box>
    </MemoryRouter>
  );
}

/**
 * A link to what the portal does not include: opens the host page's own URL in a new tab, and the portal
 * stays.
 */
function Elsewhere({ first, returnUrl }: { readonly first: string; readonly returnUrl: string | null }) {
  const hasLeft = useRef(false);
  useEffect(() => {
    if (hasLeft.current || returnUrl === null) return;
    hasLeft.current = true;
    open(returnUrl, '_blank', 'noopener');
  }, [returnUrl]);
  return <Navigate to={first} replace />;
}

function PortalTabs({ opened: { pages, theme, returnUrl } }: { readonly opened: OpenedPortal }) {
  const { t } = useTranslation('portal');
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const tones = theme.accent === null ? undefined : accentTones(theme.accent);
  const current = pages.find((page) => paths[page] === pathname) ?? pages[0];
  return (
    <Box
      component="nav"
      aria-label={t('portal.tabs')}
      data-screen-only
      sx={(look) => ({
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        paddingInline: { xs: 1, md: 3 },
        borderBottom: '1px solid',
        borderColor: 'divider',
        bgcolor: 'background.paper',
        ...(tones && {
          '&, & .MuiTab-root, & .MuiTab-root.Mui-selected, & .MuiButton-root': { color: tones.light.text },
          backgroundColor: tones.light.background,
          '& .MuiTabs-indicator': { backgroundColor: tones.light.text },
          ...look.applyStyles('dark', {
            '&, & .MuiTab-root, & .MuiTab-root.Mui-selected, & .MuiButton-root': { color: tones.dark.text },
            backgroundColor: tones.dark.background,
            '& .MuiTabs-indicator': { backgroundColor: tones.dark.text },
          }),
        }),
      })}
    >
      {/* used as: 'portal.page_*' */}
      <ScrollableTabs
        value={current}
        onChange={(_event, page: PortalPage) => void navigate(paths[page])}
        sx={{ flex: 1 }}
      >
        {pages.map((page) => (
          <Tab key={page} value={page} label={t(`portal.page_${page}`)} />
        ))}
      </ScrollableTabs>
      {returnUrl !== null && (
        <Button href={returnUrl} target="_top" rel="noopener">
          {t('portal.back')}
        </Button>
      )}
    </Box>
  );
}
