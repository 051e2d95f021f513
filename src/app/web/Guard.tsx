// Shows a screen only to users whose menu lists it: visitors are redirected to sign in, other roles see the
// page for missing permission.
import { Navigate, Outlet, useLocation } from 'react-router';
import { loadEnrolFirst } from '#features/access/signin/web/parts.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { useEnrolment } from '#platform/web/session/session.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { mayOpen } from '../menu.ts';
import { useLeaveTarget } from './leave-target.ts';
import { SignInRedirect } from './SignInRedirect.tsx';

const Unauthorized = lazyComponent(() =>
  import('./screens/Unauthorized.tsx').then((module) => module.Unauthorized),
).Component;
const EnrolFirst = lazyComponent(loadEnrolFirst).Component;

/** Paths inside the shell that need no sign-in: the set-up, and the development page. */
const open = [
  '/system/initialization',
  ...(import.meta.env.DEV ? ['/debug/user-role', '/debug/gallery'] : []),
];

export function Guard() {
  const { isAuthenticated, user } = useAuthStore();
  const goal = useLeaveTarget((store) => store.goal);
  const { mustEnrol } = useEnrolment();
  const { pathname, search } = useLocation();
  if (open.includes(pathname)) return <Outlet />;
  // After a logout the user goes home, or to the sign-in page to switch accounts; also if they have used Back
  // meanwhile.
  if (!isAuthenticated && goal !== null) return <Navigate to={goal} replace />;
  if (!isAuthenticated) return <SignInRedirect returnTo={pathname + search} />;
  if (mustEnrol) return <EnrolFirst />;
  return mayOpen(user, pathname) ? <Outlet /> : <Unauthorized />;
}
