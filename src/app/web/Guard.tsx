// Lets a screen be seen by those whose menu lists it: others sign in first, or are told whose it is.
import { Navigate, Outlet, useLocation } from 'react-router';
import { loadEnrolFirst } from '#features/access/signin/web/parts.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { useEnrolment } from '#platform/web/session/session.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { mayOpen } from '../menu.ts';
import { useLeaving } from './leaving.ts';
import { SignInRedirect } from './SignInRedirect.tsx';

const Unauthorized = lazyComponent(() =>
  import('./screens/Unauthorized.tsx').then((module) => module.Unauthorized),
).Component;
const EnrolFirst = lazyComponent(loadEnrolFirst).Component;

/** Paths inside the shell that no menu lists and that need nobody signed in: the set-up, and the development page. */
const open = [
  '/system/initialization',
  ...(import.meta.env.DEV ? ['/debug/user-role', '/debug/gallery'] : []),
];

export function Guard() {
  const { isAuthenticated, user } = useAuthStore();
  const goal = useLeaving((store) => store.goal);
  const { mustEnrol } = useEnrolment();
  const { pathname, search } = useLocation();
  if (open.includes(pathname)) return <Outlet />;
  // Whoever logs out goes home, or to sign in as somebody else; also from a place they went back to meanwhile.
  if (!isAuthenticated && goal !== null) return <Navigate to={goal} replace />;
  if (!isAuthenticated) return <SignInRedirect returnTo={pathname + search} />;
  if (mustEnrol) return <EnrolFirst />;
  return mayOpen(user?.role, pathname) ? <Outlet /> : <Unauthorized />;
}
