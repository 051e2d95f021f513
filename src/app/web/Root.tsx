// Wraps every screen: waits for the texts, and provides brand, motion settings, toasts and scrolling.
import { startTransition, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { useViewing } from '#platform/web/session/auth-store.ts';
import { loadViewBanner } from '#features/access/identity/web/index.ts';
import { useAfterFirstScreen } from '#platform/web/loading/first-screen.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { useTextsMissing, useTranslation } from '#platform/web/i18n/i18n.ts';
import { onSessionLost } from '#platform/web/session/session.ts';
import { toast, useToastsWanted } from '#platform/web/toasts/toasts.ts';
import { useLayoutStore } from '#platform/web/shell/layout-store.ts';
import { Spinner } from '#platform/web/ui/Spinner.tsx';
import { CrashBoundary } from './CrashBoundary.tsx';
import { useLeaveTarget } from './leave-target.ts';
import { LoadingPage } from './LoadingPage.tsx';
import { AppRoutes } from './routes.tsx';
import { TextsMissing } from './screens/TextsMissing.tsx';
import { useBrandFromStatus } from './system.ts';
import { useLogoutReturn } from './logout-return.ts';

const ViewBanner = lazyComponent(loadViewBanner).Component;
const toasts = lazyComponent(() => import('#platform/web/ui/Toasts.tsx').then((module) => module.Toasts));

/**
 * `whenReady` settles when the first screen's code and texts are loaded; nothing is rendered before, so that
 * the screen appears as a whole.
 */
export function Root({ whenReady }: { readonly whenReady: Promise<unknown> }) {
  const isReady = useReady(whenReady);
  const areTextsMissing = useTextsMissing();
  const isReduced = useLayoutStore((layout) => layout.reducedMotion);
  const isViewing = useViewing((viewing) => viewing.viewer !== null);
  const areToastsWanted = useToastsWanted((wanted) => wanted.isWanted);
  const haveToastsCome = useAfterFirstScreen(toasts);
  useBrandFromStatus();
  useToastsBeforeNeed(haveToastsCome);
  useTopOfNewScreens();
  useEndOfLogout();
  useEffect(() => {
    document.documentElement.dataset.motion = isReduced ? 'reduced' : 'full';
  }, [isReduced]);
  if (areTextsMissing) return <TextsMissing />;
  if (!isReady) return <LoadingPage />;
  return (
    <CrashBoundary>
      {(areToastsWanted || haveToastsCome) && (
        <Suspense fallback={null}>
          <toasts.Component />
        </Suspense>
      )}
      <Suspense fallback={<Spinner page />}>
        <LossNotice />
        <AppRoutes />
        {isViewing && (
          <Suspense fallback={null}>
            <ViewBanner />
          </Suspense>
        )}
      </Suspense>
    </CrashBoundary>
  );
}

function useReady(whenReady: Promise<unknown>): boolean {
  const [isReady, setReady] = useState(false);
  // React renders a transition in slices, so that the page can respond to input in between.
  useEffect(() => void whenReady.then(() => startTransition(() => setReady(true))), [whenReady]);
  return isReady;
}

/**
 * Loads the code of toasts when a signed-in user's first screen is complete, or earlier when the user starts
 * to interact. A visitor who only reads a page should not wait for it. The home page shows no toasts.
 */
function useToastsBeforeNeed(haveCome: boolean): void {
  const { pathname } = useLocation();
  useEffect(() => {
    if (pathname === '/' || haveCome) return;
    const want = () => useToastsWanted.setState({ isWanted: true });
    const listening = new AbortController();
    for (const event of ['keydown', 'pointerdown'])
      addEventListener(event, want, { signal: listening.signal });
    return () => listening.abort();
  }, [pathname, haveCome]);
}

/** Explains why the user was redirected to the sign-in page. */
function LossNotice() {
  const { t } = useTranslation('platform');
  useLogoutReturn();
  useEffect(
    () =>
      onSessionLost(() => {
        if (useLeaveTarget.getState().goal === null) toast.info(t('session.lost'));
      }),
    [t],
  );
  return null;
}

/** Ends the logout state when the user has arrived at the home or sign-in page. */
function useEndOfLogout(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    if (pathname === '/' || pathname === '/login') useLeaveTarget.setState({ goal: null });
  }, [pathname]);
}

/** A new screen starts at its top; after Back, the browser restores the position. */
function useTopOfNewScreens(): void {
  const { pathname } = useLocation();
  const navigation = useNavigationType();
  const shownPath = useRef(pathname);
  useEffect(() => {
    // Opening a panel or changing a filter changes the URL too, but not the screen.
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    if (navigation !== 'POP') scrollTo(0, 0);
  }, [pathname, navigation]);
}
