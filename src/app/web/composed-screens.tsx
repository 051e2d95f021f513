// Screens with parts of other features, loaded when one of them is opened, not with the frame. Everything
// that a screen always shows is loaded with it, in as few files as possible; each lists the text bundles of
// all its parts.
import type { ComponentType } from 'react';
import { loadInvitationScreen } from '#features/access/identity/web/index.ts';
import { loadOpenQuoteScreen } from '#features/invoicing/quotes/web/index.ts';
import { loadResellerScreen } from '#features/invoicing/resellers/web/index.ts';
import { loadReturnedScreen } from '#features/receivables/payments/web/index.ts';
import { withTexts } from '#platform/web/i18n/i18n.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { landingPathOf } from '../menu.ts';

export const loadServiceOverview = () =>
  withTexts(
    import('./screens/ServiceOverview.tsx'),
    'subscriptions',
    'catalogue',
    'planning',
    'usage',
    'discounts',
    'rating',
  ).then((module) => module.ServiceOverview);

export const loadUserDashboard = () =>
  withTexts(
    import('./screens/OwnDashboard.tsx'),
    'console',
    'billing',
    'identity',
    'notifications',
    'payments',
    'usage',
    'dunning',
    'creditlimits',
  ).then((module) => module.OwnDashboard);

export const loadBillingDashboard = () =>
  withTexts(
    import('./screens/OwnBilling.tsx'),
    'console',
    'usage',
    'quotas',
    'budgets',
    'creditgrants',
    'dunning',
    'creditlimits',
  ).then((module) => module.OwnBilling);

export const loadUsageStatistics = () =>
  withTexts(import('./screens/UsageStatistics.tsx'), 'usage', 'insights', 'rejections').then(
    (module) => module.UsageStatistics,
  );

/** The customer's subscriptions, with usage and remaining quota of each. */
export const loadCloudServices = () =>
  withTexts(
    import('./screens/CloudServices.tsx'),
    'subscriptions',
    'usage',
    'quotas',
    'planning',
    'billing',
    'creditgrants',
    'rating',
  ).then((module) => module.CloudServices);

export const loadBills = () =>
  withTexts(
    import('./screens/Bills.tsx'),
    'billing',
    'payments',
    'credits',
    'books',
    'dunning',
    'packs',
    'en16931',
    'console',
    'einvoices',
    'collection',
    'topups',
    'plans',
    'latefees',
    'creditlimits',
    'payers',
    'billproofs',
    'resellers',
    'rating',
  ).then((module) => module.Bills);

/** A reseller's customers, prices and bills. */
export async function loadReseller(): Promise<ComponentType> {
  const ResellerScreen = await loadResellerScreen();
  return function ResellerPage() {
    return <ResellerScreen mayWrite={useAuthStore((auth) => auth.user?.role) === 'User'} />;
  };
}

/** An invitation's page; a user who accepts is signed in. */
export async function loadInvitation(): Promise<ComponentType> {
  const [InvitationScreen, { logIn }] = await Promise.all([loadInvitationScreen(), import('./log-in.ts')]);
  return () => <InvitationScreen destinationOf={landingPathOf} logIn={logIn} loginPath="/login" />;
}

/** The page of a quote's link; loaded here, so that only its path is in the code of every page. */
export const loadOpenQuote = (): Promise<ComponentType> => loadOpenQuoteScreen();
export const loadPaymentReturned = (): Promise<ComponentType> => loadReturnedScreen();

export const loadCredits = () =>
  withTexts(
    import('./screens/Credits.tsx'),
    'console',
    'quotes',
    'creditgrants',
    'commitments',
    'discounts',
    'oneoffs',
  ).then((module) => module.Credits);

export const loadProfile = () =>
  withTexts(
    import('./screens/Profile.tsx'),
    'identity',
    'signin',
    'federation',
    'webhooks',
    'einvoices',
    'customroles',
    'sessionpolicies',
    'personaldata',
  ).then((module) => module.Profile);

export { loadSetupScreen as loadSetup } from '#features/operations/administration/web/parts.ts';
export { loadNotificationsScreen as loadNotifications } from '#features/messaging/notifications/web/parts.ts';
