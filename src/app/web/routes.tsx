// Every path and its screen; the code is loaded when the path is opened. Features are imported through their
// public API.
import { Suspense } from 'react';
import { matchPath, Route, Routes } from 'react-router';
import { loadCallbackScreen, loadCompanySignInScreen } from '#features/access/federation/web/index.ts';
import { loadCardEntryScreen, loadCardReturnedScreen } from '#features/receivables/collection/web/index.ts';
import { loadDeviceScreen } from '#features/access/devices/web/index.ts';
import {
  loadLoginScreen,
  loadPasswordResetScreen,
  loadRegisterScreen,
  loadVerifyEmailScreen,
} from '#features/access/signin/web/index.ts';
import { useSystemStatus } from '#features/operations/administration/web/index.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { nextTask } from '#platform/web/loading/next-task.ts';
import { Spinner } from '#platform/web/ui/Spinner.tsx';
import { destinationAfterSignIn, landingPathOf, linksOf, menuOf } from '../menu.ts';
import { CrashBoundary } from './CrashBoundary.tsx';
import { useExternalProviders } from './external-providers.tsx';
import { screen, type Screen } from './screen.ts';
import { Home } from './screens/Home.tsx';

const notFound = () => import('./screens/NotFound.tsx').then((module) => module.NotFound);

/**
 * A screen with parts of several features; the code that combines them is loaded with it, not with the frame.
 */
const composed = (name: keyof typeof import('./composed-screens.tsx')) => async () => {
  const screens = await import('./composed-screens.tsx');
  // On a slow phone, running the loaded code takes as long as reading the screen's texts.
  await nextTask();
  return screens[name]();
};

/** R-SHELL-01: without the shell. */
const bare: readonly Screen[] = [
  // Everything that it needs is in the entry bundle anyway, because every other page needs it too.
  screen('/', () => Promise.resolve(Home)),
  screen('/404', notFound),
  screen('/session/404', notFound),
];
const lost = screen('*', notFound);

/** R-SHELL-02: only the top bar. */
const signIn: readonly Screen[] = [
  screen('/login', async () => {
    const LoginScreen = await loadLoginScreen();
    return function Login() {
      return (
        <LoginScreen
          destinationOf={destinationAfterSignIn}
          canReset={useSystemStatus().data?.signIn.passwordReset ?? false}
          {...useExternalProviders()}
        />
      );
    };
  }),
];

/** Without the shell, with the home page's header. */
const welcome: readonly Screen[] = [
  screen('/callback', async () => {
    const CallbackScreen = await loadCallbackScreen();
    return () => <CallbackScreen destinationOf={destinationAfterSignIn} />;
  }),
  screen('/company-sign-in', async () => {
    const CompanySignInScreen = await loadCompanySignInScreen();
    return () => <CompanySignInScreen destinationOf={destinationAfterSignIn} />;
  }),
  screen('/register', async () => {
    const RegisterScreen = await loadRegisterScreen();
    return function Register() {
      return (
        <RegisterScreen
          destinationOf={landingPathOf}
          mustConfirm={useSystemStatus().data?.signIn.passwordReset ?? false}
          {...useExternalProviders()}
        />
      );
    };
  }),
  screen('/invitation', composed('loadInvitation')),
  screen('/password-reset', async () => {
    const PasswordResetScreen = await loadPasswordResetScreen();
    return function PasswordReset() {
      return <PasswordResetScreen canReset={useSystemStatus().data?.signIn.passwordReset} />;
    };
  }),
  screen('/verify-email', loadVerifyEmailScreen),
  screen('/payments/returned', composed('loadPaymentReturned')),
  screen('/payments/card-returned', loadCardReturnedScreen),
  screen('/quotes/:token', composed('loadOpenQuote')),
];

/** R-SHELL-03, R-SHELL-04: inside the shell; the guard checks the menu. */
const inside: readonly Screen[] = [
  screen('/system/initialization', composed('loadSetup')),
  screen('/user/dashboard', composed('loadUserDashboard')),
  screen('/user/profile', composed('loadProfile')),
  screen('/device', loadDeviceScreen),
  screen('/user/notifications', composed('loadNotifications')),
  screen('/service/overview', composed('loadServiceOverview')),
  screen('/cloud-service/management', composed('loadCloudServices')),
  screen('/usage/statistics', composed('loadUsageStatistics')),
  screen('/billing/dashboard', composed('loadBillingDashboard')),
  screen('/dashboard', composed('loadBillingDashboard')),
  screen('/billing/management', composed('loadBills')),
  screen('/billing/credits', composed('loadCredits')),
  screen('/billing/customers', composed('loadReseller')),
  screen('/billing/card-entry', loadCardEntryScreen),
  // Admins have many screens; their loaders are loaded with the first of them.
  ...linksOf(menuOf('Admin')).map(({ path }) =>
    screen(path, async () => (await import('./operator-screens.tsx')).loadOperatorScreen(path)),
  ),
];

/** Development only; a production build does not contain them. */
const development: readonly Screen[] = import.meta.env.DEV
  ? [
      screen('/debug/user-role', () =>
        import('./screens/RouteRoleDebug.tsx').then((module) => module.RouteRoleDebug),
      ),
      screen('/debug/mail', () => import('./screens/MailDebug.tsx').then((module) => module.MailDebug)),
      screen('/debug/gallery', () => import('./screens/Gallery.tsx').then((module) => module.Gallery)),
    ]
  : [];

const shell = lazyComponent<object>(() => import('./Shell.tsx').then((module) => module.Shell));
const guard = lazyComponent<object>(() => import('./Guard.tsx').then((module) => module.Guard));
const welcomeLayout = lazyComponent<object>(() =>
  import('./WelcomeLayout.tsx').then((module) => module.WelcomeLayout),
);
const loginLayout = lazyComponent<object>(() =>
  import('./LoginLayout.tsx').then((module) => module.LoginLayout),
);

/** The screens of each layout, with its frames. */
const layouts: readonly (readonly [readonly Screen[], ...(typeof shell)[]])[] = [
  [bare],
  [inside, shell, guard],
  [signIn, loginLayout],
  [welcome, welcomeLayout],
  [development, shell, guard],
];

/** Loads the current path's code while the texts are loading; settles when it is loaded or has failed. */
export async function preloadPath(path: string): Promise<void> {
  const isAt = (one: Screen): boolean => matchPath(one.path, path) !== null;
  const [screens, ...frames] = layouts.find(([held]) => held.some(isAt)) ?? [[]];
  const wanted = screens.find(isAt) ?? lost;
  // A failure is shown when the screen is rendered.
  await Promise.allSettled([...frames, wanted].map((one) => one.preload()));
}

const routesOf = (screens: readonly Screen[]) =>
  screens.map(({ path, Component }) => (
    <Route
      key={path}
      path={path}
      element={
        <CrashBoundary key={path}>
          <Component />
        </CrashBoundary>
      }
    />
  ));

export function AppRoutes() {
  return (
    <Suspense fallback={<Spinner page />}>
      <Routes>
        {routesOf(bare)}
        <Route element={<welcomeLayout.Component />}>{routesOf(welcome)}</Route>
        <Route element={<loginLayout.Component />}>{routesOf(signIn)}</Route>
        <Route element={<shell.Component />}>
          <Route element={<guard.Component />}>{routesOf([...inside, ...development])}</Route>
        </Route>
        {routesOf([lost])}
      </Routes>
    </Suspense>
  );
}
