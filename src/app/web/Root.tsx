// What surrounds every screen: texts being there, brand, motion, messages and scrolling.
import { Suspense, useEffect } from 'react';
import { Outlet, ScrollRestoration } from 'react-router';
import { useTextsMissing } from '#platform/web/i18n.ts';
import { useLayoutStore } from '#platform/web/layout-store.ts';
import { Spinner } from '#platform/web/ui/Spinner.tsx';
import { Toasts } from '#platform/web/ui/Toasts.tsx';
import { useBrandFromStatus } from './system.ts';
import { TextsMissing } from './screens/TextsMissing.tsx';

export function Root() {
  const areTextsMissing = useTextsMissing();
  const isReduced = useLayoutStore((layout) => layout.reducedMotion);
  useBrandFromStatus();
  useEffect(() => {
    document.documentElement.dataset.motion = isReduced ? 'reduced' : 'full';
  }, [isReduced]);
  if (areTextsMissing) return <TextsMissing />;
  return (
    <Suspense fallback={<Spinner page />}>
      <Outlet />
      <Toasts />
      <ScrollRestoration />
    </Suspense>
  );
}
