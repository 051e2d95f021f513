// What surrounds every screen: texts being there, brand, motion, messages and scrolling.
import { startTransition, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { useViewing } from '#platform/web/session/auth-store.ts';
import { loadViewBanner } from '#features/access/identity/web/index.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { useTextsMissing, useTranslation } from '#platform/web/i18n/i18n.ts';
import { onSessionLost } from '#platform/web/session/session.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { useLayoutStore } from '#platform/web/shell/layout-store.ts';
import { Spinner } from '#platform/web/ui/Spinner.tsx';
import { Toasts } from '#platform/web/ui/Toasts.tsx';
import { CrashBoundary } from './CrashBoundary.tsx';
import { useLeaving } from './leaving.ts';
import { AppRoutes } from './routes.tsx';
import { TextsMissing } from './screens/TextsMissing.tsx';
import { useBrandFromStatus } from './system.ts';
import { useLogoutReturn } from './logout-return.ts';

const ViewBanner = lazyComponent(loadViewBanner).Component;

/** `whenReady` settles when what the first screen is made of is there: until then nothing of it is drawn, so that it comes whole. */
export function Root({ whenReady }: { readonly whenReady: Promise<unknown> }) {
  const isReady = useReady(whenReady);
  const areTextsMissing = useTextsMissing();
  const isReduced = useLayoutStore((layout) => layout.reducedMotion);
  const isViewing = useViewing((viewing) => viewing.viewer !== null);
  useBrandFromStatus();
  useTopOfNewScreens();
  useArrival();
  useEffect(() => {
    document.documentElement.dataset.motion = isReduced ? 'reduced' : 'full';
  }, [isReduced]);
  if (areTextsMissing) return <TextsMissing />;
  if (!isReady) return <Spinner page />;
  return (
    <CrashBoundary>
      <Toasts />
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
  // A transition is drawn in slices, between which the page can answer a hand.
  useEffect(() => void whenReady.then(() => startTransition(() => setReady(true))), [whenReady]);
  return isReady;
}

/** Says why somebody finds themself at the sign-in page. */
function LossNotice() {
  const { t } = useTranslation('platform');
  useLogoutReturn();
  useEffect(
    () =>
      onSessionLost(() => {
        if (useLeaving.getState().goal === null) toast.info(t('session.lost'));
      }),
    [t],
  );
  return null;
}

/** Whoever logged out has arrived at the home page, or where they sign in again. */
function useArrival(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    if (pathname === '/' || pathname === '/login') useLeaving.setState({ goal: null });
  }, [pathname]);
}

/** A new screen begins at its top; going back leaves the place to the browser, which remembers it. */
function useTopOfNewScreens(): void {
  const { pathname } = useLocation();
  const way = useNavigationType();
  const seen = useRef(pathname);
  useEffect(() => {
    // A panel that opens, or a filter, changes the address too, but not the screen.
    if (seen.current === pathname) return;
    seen.current = pathname;
    if (way !== 'POP') scrollTo(0, 0);
  }, [pathname, way]);
}
