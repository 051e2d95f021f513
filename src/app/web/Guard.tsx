// Lets a screen be seen by those whose menu lists it: others sign in first, or are told whose it is.
import { lazy, useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { goToProvider } from '#features/federation/web/index.ts';
import { loadEnrolFirst } from '#features/signin/web/index.ts';
import { useEnrolment } from '#platform/web/session.ts';
import { useAuthStore } from '#platform/web/auth-store.ts';
import { Spinner } from '#platform/web/ui/Spinner.tsx';
import { mayOpen } from '../menu.ts';
import { useLeaving } from './leaving.ts';

const Unauthorized = lazy(() => import('./screens/Unauthorized.tsx').then((module) => ({ default: module.Unauthorized })));

const EnrolFirst = lazy(async () => ({ default: await loadEnrolFirst() }));

/** Paths inside the shell that no menu lists and that need nobody signed in: the set-up, and the development page. */
const open = ['/system/initialization', ...(import.meta.env.DEV ? ['/debug/user-role', '/debug/gallery'] : [])];

export function Guard() {
  const { isAuthenticated, user } = useAuthStore();
  const { isLeaving, wasThroughProvider } = useLeaving();
  const { mustEnrol } = useEnrolment();
  const { pathname, search } = useLocation();
  if (open.includes(pathname)) return <Outlet />;
  // Whoever logs out goes home, also from a place they went back to meanwhile.
  if (!isAuthenticated && isLeaving) return <Navigate to="/" replace />;
  if (!isAuthenticated && wasThroughProvider) return <BackToProvider returnTo={pathname + search} />;
  if (!isAuthenticated) return <Navigate to={`/login?returnTo=${encodeURIComponent(pathname + search)}`} replace />;
  if (mustEnrol) return <EnrolFirst />;
  return mayOpen(user?.role, pathname) ? <Outlet /> : <Unauthorized />;
}

/** R-AUTH-13: a session that came from an identity provider is asked for there again; without an answer account and password remain. */
function BackToProvider({ returnTo }: { returnTo: string }) {
  useEffect(() => {
    let isGone = false;
    void goToProvider(returnTo).then((isLeaving) => {
      if (!isLeaving && !isGone) useLeaving.setState({ wasThroughProvider: false });
    });
    return () => {
      isGone = true;
    };
  }, [returnTo]);
  return <Spinner page />;
}
