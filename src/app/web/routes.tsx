// Every path and its screen; code is fetched when the path is opened. Features come in through their doors.
import { lazy, Suspense } from 'react';
import { Route, Routes } from 'react-router';
import { loadCallbackScreen, loadExternalIdentities } from '#features/federation/web/index.ts';
import { loadApiKeysScreen, loadInvitationScreen, loadProfileScreen, loadUsersScreen } from '#features/identity/web/index.ts';
import { loadLoginScreen, loadPasswordResetScreen, loadRegisterScreen, loadSecuritySection, loadUserReset, loadVerifyEmailScreen } from '#features/signin/web/index.ts';
import { loadNotificationsScreen } from '#features/notifications/web/index.ts';
import { loadServicesScreen } from '#features/catalogue/web/index.ts';
import { loadServiceOverviewScreen } from '#features/subscriptions/web/index.ts';
import { loadDailyUsageChart, loadUsageScreen } from '#features/usage/web/index.ts';
import { loadQuotaStates } from '#features/quotas/web/index.ts';
import { loadOwnMonths, loadRehearsalPanel } from '#features/planning/web/index.ts';
import { loadAdminBillingScreen, loadBillsScreen } from '#features/billing/web/index.ts';
import { loadAdminPaymentsScreen, loadBillPayments } from '#features/payments/web/index.ts';
import { loadImportsScreen, loadReconciliation, loadSettingsScreen, loadSetupScreen } from '#features/administration/web/index.ts';
import { Spinner } from '#platform/web/ui/Spinner.tsx';
import { destinationAfterSignIn, landingOf } from '../menu.ts';
import { CrashBoundary } from './CrashBoundary.tsx';
import { Guard } from './Guard.tsx';
import { useOutsideWays } from './outside-ways.tsx';
import { preloadScreen, screen, type Screen } from './screen.ts';
import { ShellBell } from './ShellBell.tsx';
import { useSystemStatus } from './system.ts';

const notFound = () => import('./screens/NotFound.tsx').then((module) => module.NotFound);

/** R-SHELL-01: without the shell. */
const bare: readonly Screen[] = [
  screen('/', () => import('./screens/Home.tsx').then((module) => module.Home)),
  screen('/404', notFound),
  screen('/session/404', notFound),
];
const lost = screen('*', notFound);

/** R-SHELL-02: only the top bar. */
const signIn: readonly Screen[] = [
  screen('/login', async () => {
    const LoginScreen = await loadLoginScreen();
    return function Login() {
      return <LoginScreen destinationOf={destinationAfterSignIn} canReset={useSystemStatus().data?.signIn.passwordReset ?? false} {...useOutsideWays()} />;
    };
  }),
];

/** Without the shell, with the head of the home page. */
const welcome: readonly Screen[] = [
  screen('/callback', async () => {
    const CallbackScreen = await loadCallbackScreen();
    return () => <CallbackScreen destinationOf={destinationAfterSignIn} />;
  }),
  screen('/register', async () => {
    const RegisterScreen = await loadRegisterScreen();
    return function Register() {
      return <RegisterScreen destinationOf={landingOf} mustConfirm={useSystemStatus().data?.signIn.passwordReset ?? false} {...useOutsideWays()} />;
    };
  }),
  screen('/invitation', async () => {
    const [InvitationScreen, { logIn }] = await Promise.all([loadInvitationScreen(), import('./log-in.ts')]);
    return () => <InvitationScreen destinationOf={landingOf} logIn={logIn} loginPath="/login" />;
  }),
  screen('/password-reset', async () => {
    const PasswordResetScreen = await loadPasswordResetScreen();
    return function PasswordReset() {
      return <PasswordResetScreen canReset={useSystemStatus().data?.signIn.passwordReset} />;
    };
  }),
  screen('/verify-email', loadVerifyEmailScreen),
];

const loadBillingDashboard = async () => {
  const [{ BillingDashboard }, DailyUsageChart, QuotaStates] = await Promise.all([import('./dashboards/BillingDashboard.tsx'), loadDailyUsageChart(), loadQuotaStates()]);
  return () => <BillingDashboard Daily={DailyUsageChart} Quotas={QuotaStates} />;
};

const loadProfile = async () => {
  const [ProfileScreen, SecuritySection, ExternalIdentities] = await Promise.all([loadProfileScreen(), loadSecuritySection(), loadExternalIdentities()]);
  return function Profile() {
    const ways = useSystemStatus().data?.signIn;
    return <ProfileScreen security={<SecuritySection />} {...((ways?.google || ways?.oidc) && { signIns: <ExternalIdentities /> })} />;
  };
};

/** R-SHELL-03, R-SHELL-04: inside the shell; the guard asks the menu who may open what. */
const inside: readonly Screen[] = [
  screen('/system/initialization', loadSetupScreen),
  screen('/user/dashboard', () => import('./dashboards/UserDashboard.tsx').then((module) => module.UserDashboard)),
  screen('/user/profile', loadProfile),
  screen('/admin/account', loadProfile),
  screen('/admin/dashboard', () => import('./dashboards/AdminDashboard.tsx').then((module) => module.AdminDashboard)),
  screen('/admin/service-management', async () => {
    const [ServicesScreen, RehearsalPanel] = await Promise.all([loadServicesScreen(), loadRehearsalPanel()]);
    return () => <ServicesScreen rehearsal={(asked) => <RehearsalPanel {...asked} />} />;
  }),
  screen('/admin/user-management', async () => {
    const [UsersScreen, UserReset] = await Promise.all([loadUsersScreen(), loadUserReset()]);
    return function Users() {
      const mails = useSystemStatus().data?.signIn.passwordReset ?? false;
      return <UsersScreen actions={(user) => <UserReset key={user.id} user={user} mails={mails} />} />;
    };
  }),
  screen('/user/notifications', loadNotificationsScreen),
  screen('/service/overview', async () => {
    const [ServiceOverviewScreen, OwnMonths] = await Promise.all([loadServiceOverviewScreen(), loadOwnMonths()]);
    return () => <ServiceOverviewScreen ownMonths={OwnMonths} />;
  }),
  screen('/cloud-service/management', () => import('./screens/CloudServices.tsx').then((module) => module.CloudServices)),
  screen('/usage/statistics', loadUsageScreen),
  screen('/billing/dashboard', loadBillingDashboard),
  screen('/dashboard', loadBillingDashboard),
  screen('/billing/management', async () => {
    const [BillsScreen, { PayButton, BalanceCard, PaymentHistory }] = await Promise.all([loadBillsScreen(), loadBillPayments()]);
    return () => <BillsScreen pay={(bill) => <PayButton bill={bill} />} balance={<BalanceCard />} payments={<PaymentHistory />} />;
  }),
  screen('/admin/imports', loadImportsScreen),
  screen('/admin/billing', async () => {
    const [AdminBillingScreen, Reconciliation] = await Promise.all([loadAdminBillingScreen(), loadReconciliation()]);
    return () => <AdminBillingScreen reconciliation={(month) => <Reconciliation month={month} />} />;
  }),
  screen('/admin/payments', loadAdminPaymentsScreen),
  screen('/admin/system-settings', loadSettingsScreen),
  screen('/admin/api-keys', loadApiKeysScreen),
  screen('/admin/permissions', () => import('./permissions/PermissionsScreen.tsx').then((module) => module.PermissionsScreen)),
];

/** While developing only; a production build does not contain them. */
const development: readonly Screen[] = import.meta.env.DEV
  ? [
    screen('/debug/user-role', () => import('./screens/RouteRoleDebug.tsx').then((module) => module.RouteRoleDebug)),
    screen('/debug/gallery', () => import('./screens/Gallery.tsx').then((module) => module.Gallery)),
  ]
  : [];

const loadShell = () => import('./Shell.tsx');
const loadLoginLayout = () => import('./LoginLayout.tsx');
const Shell = lazy(() => loadShell().then((module) => ({ default: module.Shell })));
const WelcomeLayout = lazy(() => import('./WelcomeLayout.tsx').then((module) => ({ default: module.WelcomeLayout })));
const LoginLayout = lazy(() => loadLoginLayout().then((module) => ({ default: module.LoginLayout })));

/** Fetches what the address asks for while the texts are still under way. */
export function preloadPath(path: string): void {
  if (inside.some((one) => one.path === path)) void loadShell();
  if (signIn.some((one) => one.path === path)) void loadLoginLayout();
  preloadScreen([...bare, ...welcome, ...signIn, ...inside, ...development], path);
}

const routesOf = (screens: readonly Screen[]) => screens.map(({ path, Component }) => <Route key={path} path={path} element={<CrashBoundary key={path}><Component /></CrashBoundary>} />);

export function AppRoutes() {
  return (
    <Suspense fallback={<Spinner page />}>
      <Routes>
        {routesOf(bare)}
        <Route element={<WelcomeLayout />}>{routesOf(welcome)}</Route>
        <Route element={<LoginLayout />}>{routesOf(signIn)}</Route>
        <Route element={<Shell bell={<ShellBell />} />}><Route element={<Guard />}>{routesOf([...inside, ...development])}</Route></Route>
        {routesOf([lost])}
      </Routes>
    </Suspense>
  );
}
