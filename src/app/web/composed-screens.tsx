// Screens with parts of other features; loaded when one of them is opened, not with the frame.
import type { ComponentType } from 'react';
import { useSystemStatus } from '#features/operations/administration/web/index.ts';
import { loadOwnStatement } from '#features/reporting/books/web/index.ts';
import { loadBillsScreen } from '#features/invoicing/billing/web/index.ts';
import { loadCreditsCard, loadOwnCredits } from '#features/invoicing/credit-grants/web/index.ts';
import { loadBudgetStates } from '#features/metering/budgets/web/index.ts';
import { loadBillStory } from '#features/invoicing/credits/web/index.ts';
import { loadEinvoicePreference, loadOwnEinvoices } from '#features/receivables/einvoices/web/index.ts';
import { loadOwnCollection } from '#features/receivables/collection/web/index.ts';
import { loadCreditBanner, loadOwnCreditLimit } from '#features/receivables/credit-limits/web/index.ts';
import { loadBillFees } from '#features/receivables/late-fees/web/index.ts';
import { loadBillPlan } from '#features/receivables/payment-plans/web/index.ts';
import { loadOwnTopUps } from '#features/receivables/top-ups/web/index.ts';
import { loadDunningBanner } from '#features/receivables/dunning/web/index.ts';
import { loadExternalIdentities } from '#features/access/federation/web/parts.ts';
import { loadInvitationScreen } from '#features/access/identity/web/index.ts';
import { loadPolicySections } from '#features/access/session-policies/web/index.ts';
import { loadRolesPart, useRoleChoices } from '#features/access/custom-roles/web/index.ts';
import { loadProfileScreen } from '#features/access/identity/web/parts.ts';
import { useAllows } from '#platform/web/session/use-allows.ts';
import { loadResellerScreen, loadRetailBills } from '#features/invoicing/resellers/web/index.ts';
import { loadOwnPayers } from '#features/invoicing/payers/web/index.ts';
import { loadMonthPacks } from '#features/reporting/packs/web/index.ts';
import { loadUpcomingOneOffs } from '#features/invoicing/one-offs/web/index.ts';
import { loadBillPayments, loadReturnedScreen } from '#features/receivables/payments/web/index.ts';
import { loadOwnRejected } from '#features/metering/rejections/web/index.ts';
import { loadOwnCommitments } from '#features/invoicing/commitments/web/index.ts';
import { loadBillDocuments } from '#features/reporting/en16931/web/index.ts';
import { loadBillProof } from '#features/operations/bill-proofs/web/index.ts';
import { loadOwnDiscounts, loadPromoCode } from '#features/invoicing/discounts/web/index.ts';
import { loadOpenQuoteScreen, loadOwnQuotes } from '#features/invoicing/quotes/web/index.ts';
import { loadOwnMonths } from '#features/invoicing/planning/web/index.ts';
import { loadQuotaStates } from '#features/metering/quotas/web/index.ts';
import { loadSecuritySection } from '#features/access/signin/web/parts.ts';
import { loadServiceOverviewScreen } from '#features/selling/subscriptions/web/index.ts';
import { loadExplorer } from '#features/metering/insights/web/index.ts';
import {
  loadDailyUsageChart,
  loadSubscriptionCharges,
  loadUsageScreen,
} from '#features/metering/usage/web/index.ts';
import { loadOwnExports } from '#features/operations/personal-data/web/index.ts';
import { loadWebhooks } from '#features/messaging/webhooks/web/index.ts';
import { withTexts } from '#platform/web/i18n/i18n.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { landingPathOf } from '../menu.ts';
import { useMay } from './permissions/own-grants.ts';

/** The services on sale, with estimates based on the customer's own months. */
export async function loadServiceOverview(): Promise<ComponentType> {
  const [ServiceOverviewScreen, OwnMonths, OwnCharges, PromoCode] = await Promise.all([
    loadServiceOverviewScreen(),
    loadOwnMonths(),
    loadSubscriptionCharges(),
    loadPromoCode(),
  ]);
  return () => <ServiceOverviewScreen ownMonths={OwnMonths} OwnCharges={OwnCharges} PromoCode={PromoCode} />;
}

/** A customer's services and what needs attention, unpaid bills first. */
export async function loadUserDashboard(): Promise<ComponentType> {
  const [
    { UserDashboard },
    DailyUsageChart,
    { DunningBanner, useDunningAhead },
    { CreditBanner, useCreditAhead },
  ] = await Promise.all([
    withTexts(
      import('./dashboards/UserDashboard.tsx'),
      'console',
      'billing',
      'identity',
      'notifications',
      'payments',
    ),
    loadDailyUsageChart(),
    loadDunningBanner(),
    loadCreditBanner(),
  ]);
  return function Dashboard() {
    useDunningAhead();
    useCreditAhead();
    return (
      <UserDashboard
        notice={(otherwise) => <DunningBanner otherwise={<CreditBanner otherwise={otherwise} />} />}
        Daily={DailyUsageChart}
      />
    );
  };
}

/** The figures of the running month, with usage by day, quotas and budgets. */
export async function loadBillingDashboard(): Promise<ComponentType> {
  const [
    { BillingDashboard },
    DailyUsageChart,
    QuotaStates,
    BudgetStates,
    CreditsCard,
    { DunningBanner, useDunningAhead },
    { CreditBanner, useCreditAhead },
  ] = await Promise.all([
    withTexts(import('./dashboards/BillingDashboard.tsx'), 'console'),
    loadDailyUsageChart(),
    loadQuotaStates(),
    loadBudgetStates(),
    loadCreditsCard(),
    loadDunningBanner(),
    loadCreditBanner(),
  ]);
  return function Dashboard() {
    useDunningAhead();
    useCreditAhead();
    return (
      <BillingDashboard
        Daily={DailyUsageChart}
        Quotas={QuotaStates}
        Budgets={BudgetStates}
        Credits={CreditsCard}
        Notice={() => <DunningBanner otherwise={<CreditBanner />} />}
      />
    );
  };
}

/** A month's figures, with the explorer of any range. */
export async function loadUsageStatistics(): Promise<ComponentType> {
  const [UsageScreen, Explorer, OwnRejected] = await Promise.all([
    loadUsageScreen(),
    loadExplorer(),
    loadOwnRejected(),
  ]);
  return function UsageStatistics() {
    // A ReadOnly user cannot mend rejected events.
    const mayMend = useAuthStore((auth) => auth.user?.role.trim() !== 'ReadOnly');
    return <UsageScreen explorer={(slot) => <Explorer {...slot} />} notice={mayMend && <OwnRejected />} />;
  };
}

/** The customer's subscriptions, with usage and remaining quota of each. */
export async function loadCloudServices(): Promise<ComponentType> {
  return (
    await withTexts(
      import('./screens/CloudServices.tsx'),
      'subscriptions',
      'usage',
      'quotas',
      'planning',
      'billing',
      'creditgrants',
    )
  ).CloudServices;
}

/** The customer's bills, with the ways to pay them and their later history. */
export async function loadBills(): Promise<ComponentType> {
  const [
    { BillsScreen, useBillsAhead },
    { PayButton, PayConsolidatedButton, BalanceCard, useBalanceAhead, PaymentHistory },
    { BillStory, OwnCreditNotes },
    OwnStatement,
    { DunningBanner, useDunningAhead },
    { OwnMonthPacks },
    { BillDocuments, CreditNoteDocuments },
    { CreditsLink },
    { BillEinvoices, OwnEinvoices, useEinvoicesOn },
    { PaymentCards, BillCollection },
    OwnTopUps,
    BillPlan,
    BillFees,
    { CreditBanner, useCreditAhead },
    OwnCreditLimit,
    { OwnPayers, PaidForOthers },
    BillProof,
    { BillsBySeller, ResellerLink },
  ] = await Promise.all([
    loadBillsScreen(),
    loadBillPayments(),
    loadBillStory(),
    loadOwnStatement(),
    loadDunningBanner(),
    loadMonthPacks(),
    loadBillDocuments(),
    withTexts(import('./screens/CreditsLink.tsx'), 'console'),
    loadOwnEinvoices(),
    loadOwnCollection(),
    loadOwnTopUps(),
    loadBillPlan(),
    loadBillFees(),
    loadCreditBanner(),
    loadOwnCreditLimit(),
    loadOwnPayers(),
    loadBillProof(),
    loadRetailBills(),
  ]);
  return function Bills() {
    useBillsAhead();
    useDunningAhead();
    useBalanceAhead();
    useCreditAhead();
    const may = useMay();
    const hasEinvoices = useEinvoicesOn();
    return (
      <BillsBySeller
        otherwise={
          <BillsScreen
            notice={(otherwise) => (
              <DunningBanner otherwise={<CreditBanner otherwise={otherwise} isOnBills />} />
            )}
            pay={(bill) => <PayButton bill={bill} />}
            payConsolidated={(bill) => <PayConsolidatedButton bill={bill} />}
            balance={
              <BalanceCard
                actions={
                  <>
                    <PaymentCards />
                    <CreditsLink />
                    <ResellerLink />
                  </>
                }
                more={
                  <>
                    <OwnTopUps />
                    <OwnCreditLimit />
                  </>
                }
              />
            }
            payments={<PaymentHistory />}
            creditNotes={<OwnCreditNotes />}
            {...(may('reader_statement') && { statement: <OwnStatement /> })}
            {...(may('reader_packs') && { packs: <OwnMonthPacks /> })}
            {...(hasEinvoices && { einvoices: <OwnEinvoices /> })}
            history={(bill) => (
              <>
                <BillPlan bill={bill} />
                <BillFees bill={bill} />
                <BillCollection bill={bill} />
                <BillEinvoices bill={bill} />
                <BillStory bill={bill} noteFiles={(note) => <CreditNoteDocuments note={note} />} />
              </>
            )}
            payers={<OwnPayers />}
            paysFor={<PaidForOthers />}
            files={(bill) => (
              <>
                <BillDocuments bill={bill} />
                <BillProof bill={bill} />
              </>
            )}
          />
        }
      />
    );
  };
}

/** A reseller's customers, prices and bills. */
export async function loadReseller(): Promise<ComponentType> {
  const ResellerScreen = await loadResellerScreen();
  return function ResellerPage() {
    return <ResellerScreen mayWrite={useAuthStore((auth) => auth.user?.role) === 'User'} />;
  };
}

/** An invitation's page; whoever accepts it is signed in. */
export async function loadInvitation(): Promise<ComponentType> {
  const [InvitationScreen, { logIn }] = await Promise.all([loadInvitationScreen(), import('./log-in.ts')]);
  return () => <InvitationScreen destinationOf={landingPathOf} logIn={logIn} loginPath="/login" />;
}

/** The page of a quote's link; loaded here, so that its address alone is in the code that every page has. */
export const loadOpenQuote = (): Promise<ComponentType> => loadOpenQuoteScreen();
export const loadPaymentReturned = (): Promise<ComponentType> => loadReturnedScreen();

/** Quotes that await the customer's reply, the customer's credit, discounts and one-off charges, and the minimum of the month. */
export async function loadCredits(): Promise<ComponentType> {
  const [{ CreditsScreen }, OwnQuotes, OwnCredits, OwnCommitments, OwnDiscounts, UpcomingOneOffs] =
    await Promise.all([
      withTexts(import('./screens/CreditsScreen.tsx'), 'console'),
      loadOwnQuotes(),
      loadOwnCredits(),
      loadOwnCommitments(),
      loadOwnDiscounts(),
      loadUpcomingOneOffs(),
    ]);
  return () => (
    <CreditsScreen>
      <OwnQuotes />
      <OwnCredits />
      <OwnCommitments />
      <OwnDiscounts />
      <UpcomingOneOffs />
    </CreditsScreen>
  );
}

/** The user's profile, with sign-in methods and webhooks. */
export async function loadProfile(): Promise<ComponentType> {
  const [
    ProfileScreen,
    SecuritySection,
    ExternalIdentities,
    Webhooks,
    { PreferenceSection, useHasPreference },
    RolesPart,
    { OwnPolicy },
    OwnExports,
  ] = await Promise.all([
    loadProfileScreen(),
    loadSecuritySection(),
    loadExternalIdentities(),
    loadWebhooks(),
    loadEinvoicePreference(),
    loadRolesPart(),
    loadPolicySections(),
    loadOwnExports(),
  ]);
  return function Profile() {
    const ways = useSystemStatus().data?.signIn;
    const may = useMay();
    const hasPreference = useHasPreference();
    const allows = useAllows();
    const customRoles = useRoleChoices();
    return (
      <ProfileScreen
        security={<SecuritySection />}
        {...(may('user_members') && allows('people:write') && { roles: <RolesPart scope="own" /> })}
        {...(may('user_members') && allows('people:write') && { sessionPolicy: <OwnPolicy /> })}
        {...(allows('people:write') && { exports: <OwnExports /> })}
        {...(may('user_webhooks') && allows('operations:read') && { webhooks: <Webhooks /> })}
        {...(hasPreference && { einvoices: <PreferenceSection /> })}
        organization={{
          invites: may('user_invitations'),
          keys: may('user_api_keys'),
          members: may('user_members'),
          customRoles,
        }}
        {...((ways?.google || ways?.oidc) && { signIns: <ExternalIdentities /> })}
      />
    );
  };
}

export { loadSetupScreen as loadSetup } from '#features/operations/administration/web/parts.ts';
export { loadNotificationsScreen as loadNotifications } from '#features/messaging/notifications/web/parts.ts';
