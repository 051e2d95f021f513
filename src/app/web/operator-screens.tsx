// The screens of Admins and their parts; loaded when the first of them is opened.
import type { ComponentType } from 'react';
import { loadAnnouncementsScreen } from '#features/operations/announcements/web/index.ts';
import { loadBackupsScreen } from '#features/operations/backups/web/index.ts';
import { loadDataExportsScreen } from '#features/operations/data-exports/web/index.ts';
import { loadPersonalDataScreen } from '#features/operations/personal-data/web/index.ts';
import { useSystemStatus } from '#features/operations/administration/web/index.ts';
import { loadImportsScreen, loadSettingsScreen } from '#features/operations/administration/web/parts.ts';
import { loadAdminLedgerScreen } from '#features/reporting/books/web/index.ts';
import { loadRatesScreen } from '#features/reporting/rates/web/index.ts';
import { loadAccountingScreen } from '#features/reporting/accounting/web/index.ts';
import { loadCreditGrantsScreen } from '#features/invoicing/credit-grants/web/index.ts';
import { loadCommitmentsScreen } from '#features/invoicing/commitments/web/index.ts';
import { loadDiscountsScreen } from '#features/invoicing/discounts/web/index.ts';
import { loadMeterServices, loadServicesScreen } from '#features/selling/catalogue/web/index.ts';
import { loadDunningScreen } from '#features/receivables/dunning/web/index.ts';
import { loadApiKeysScreen, loadOrganizationPanel } from '#features/access/identity/web/parts.ts';
import { loadCostsScreen } from '#features/metering/cost-imports/web/index.ts';
import { loadConnectorsScreen } from '#features/metering/connectors/web/index.ts';
import { loadApprovalsScreen } from '#features/access/approvals/web/index.ts';
import { loadSandboxesScreen } from '#features/operations/sandboxes/web/index.ts';
import { loadAuditExportsScreen } from '#features/messaging/audit-exports/web/index.ts';
import { loadEventStreamsScreen } from '#features/metering/event-streams/web/index.ts';
import { loadReconciliationScreen } from '#features/metering/reconciliation/web/index.ts';
import { loadMetersScreen } from '#features/selling/meters/web/index.ts';
import { loadMonitoringScreen } from '#features/operations/monitoring/web/index.ts';
import { loadFinanceScreen } from '#features/reporting/metrics/web/index.ts';
import { loadOneOffsScreen } from '#features/invoicing/one-offs/web/index.ts';
import { loadQuotesScreen } from '#features/invoicing/quotes/web/index.ts';
import { loadAdminPaymentsScreen } from '#features/receivables/payments/web/index.ts';
import { loadAdminCollection } from '#features/receivables/collection/web/index.ts';
import {
  loadAdminCreditLimits,
  loadOrganizationCredit,
} from '#features/receivables/credit-limits/web/index.ts';
import { loadAdminTopUps } from '#features/receivables/top-ups/web/index.ts';
import { loadRejectedScreen } from '#features/metering/rejections/web/index.ts';
import { loadContractSimulatorScreen, loadRehearsalPanel } from '#features/invoicing/planning/web/index.ts';
import { loadAdminRaisesScreen } from '#features/metering/quotas/web/index.ts';
import { loadPortalOrigins, loadPortalSessions } from '#features/access/portal/web/index.ts';
import { loadPolicySections } from '#features/access/session-policies/web/index.ts';
import { loadSecurityScreen } from '#features/operations/security/web/index.ts';
import { loadOrganizationSubscriptions } from '#features/selling/subscriptions/web/index.ts';
import { loadOrganizationTax, loadTaxesScreen } from '#features/invoicing/taxes/web/index.ts';
import { loadTestProvider } from '#features/access/federation/web/parts.ts';
import { loadProvidersScreen } from '#features/access/providers/web/index.ts';
import { loadUserFactors, loadUserReset } from '#features/access/signin/web/parts.ts';
import { loadOrganizationMembers, loadUsersScreen } from '#features/access/users/web/index.ts';
import { useTranslation, withTexts } from '#platform/web/i18n/i18n.ts';
import { pagesOf } from '../menu-pages.ts';
import { landingPathOf } from '../menu.ts';
import { loadEinvoicesScreen } from '#features/receivables/einvoices/web/index.ts';
import { loadAuditLogScreen } from '#features/access/audit/web/index.ts';
import { loadBankStatementsScreen } from '#features/receivables/banking/web/index.ts';
import { loadLicencesScreen } from '#features/operations/licensing/web/index.ts';
import { loadNotificationsScreen } from '#features/messaging/notifications/web/parts.ts';
import { loadProfile } from './composed-screens.tsx';

/** The Admin's services, with a simulation of their prices. */
async function loadServiceManagement(): Promise<ComponentType> {
  const [ServicesScreen, RehearsalPanel] = await Promise.all([loadServicesScreen(), loadRehearsalPanel()]);
  return () => <ServicesScreen rehearsal={(asked) => <RehearsalPanel {...asked} />} />;
}

/** Failed sign-ins and open sessions, and how long Admins stay signed in. */
async function loadSecurity(): Promise<ComponentType> {
  const [SecurityScreen, { PlatformPolicy }, PortalOrigins] = await Promise.all([
    loadSecurityScreen(),
    loadPolicySections(),
    loadPortalOrigins(),
  ]);
  return () => (
    <SecurityScreen
      sessionPolicy={
        <>
          <PlatformPolicy />
          <PortalOrigins />
        </>
      }
    />
  );
}

/** All meters, with the services that use each. */
async function loadMeters(): Promise<ComponentType> {
  const [MetersScreen, MeterServices] = await Promise.all([loadMetersScreen(), loadMeterServices()]);
  return () => <MetersScreen services={({ id }) => <MeterServices meterId={id} />} />;
}

/**
 * All organizations with figures, states, subscriptions and members, and the details printed on their bills.
 */
async function loadOrganizations(): Promise<ComponentType> {
  const [
    { OrganizationsScreen },
    Panel,
    Members,
    Subscriptions,
    Tax,
    Credit,
    { OrganizationPolicy },
    Portal,
  ] = await Promise.all([
    withTexts(import('./organizations/OrganizationsScreen.tsx'), 'console'),
    loadOrganizationPanel(),
    loadOrganizationMembers(),
    loadOrganizationSubscriptions(),
    loadOrganizationTax(),
    loadOrganizationCredit(),
    loadPolicySections(),
    loadPortalSessions(),
  ]);
  return () => (
    <OrganizationsScreen
      Panel={Panel}
      Members={Members}
      Subscriptions={Subscriptions}
      Tax={Tax}
      Credit={Credit}
      Policy={OrganizationPolicy}
      Portal={Portal}
    />
  );
}

const loadAdminBilling = () =>
  withTexts(
    import('./screens/AdminBilling.tsx'),
    'billing',
    'administration',
    'credits',
    'payments',
    'dunning',
    'packs',
    'einvoices',
    'en16931',
    'collection',
    'plans',
    'latefees',
    'payers',
    'identity',
    'subscriptions',
    'billproofs',
    'resellers',
    'rating',
  ).then((module) => module.AdminBilling);

/** All payments, with how customers pay by themselves, and on which terms. */
async function loadAdminPayments(): Promise<ComponentType> {
  const [
    AdminPaymentsScreen,
    { CollectedOrganizations, CollectionPlanSection },
    AdminTopUps,
    AdminCreditLimits,
  ] = await Promise.all([
    loadAdminPaymentsScreen(),
    loadAdminCollection(),
    loadAdminTopUps(),
    loadAdminCreditLimits(),
  ]);
  return () => (
    <AdminPaymentsScreen
      limits={<AdminCreditLimits />}
      automatic={
        <>
          <CollectedOrganizations />
          <AdminTopUps />
        </>
      }
      settings={<CollectionPlanSection />}
    />
  );
}

/** Identity providers, each with a test. */
async function loadProviders(): Promise<ComponentType> {
  const [ProvidersScreen, TestProvider] = await Promise.all([loadProvidersScreen(), loadTestProvider()]);
  return () => <ProvidersScreen test={({ id }) => <TestProvider providerId={id} />} />;
}

/** All users' accounts, with help for users who lost their password or second factor. */
async function loadUsers(): Promise<ComponentType> {
  const [UsersScreen, UserReset, UserFactors] = await Promise.all([
    loadUsersScreen(),
    loadUserReset(),
    loadUserFactors(),
  ]);
  return function Users() {
    const { t } = useTranslation('app');
    const mails = useSystemStatus().data?.signIn.passwordReset ?? false;
    return (
      <UsersScreen
        mails={mails}
        landingPathOf={landingPathOf}
        pagesOf={(role) => pagesOf(role).map((label) => t(label))}
        actions={(user) =>
          user.status !== 'deleted' && (
            <>
              <UserReset key={user.id} user={user} mails={mails} />
              <UserFactors user={user} />
            </>
          )
        }
      />
    );
  };
}

const loaders: Readonly<Record<string, () => Promise<ComponentType>>> = {
  '/admin/account': loadProfile,
  '/admin/dashboard': () =>
    withTexts(import('./dashboards/AdminDashboard.tsx'), 'console').then((module) => module.AdminDashboard),
  '/admin/service-management': loadServiceManagement,
  '/admin/user-management': loadUsers,
  '/admin/meters': loadMeters,
  '/admin/connectors': loadConnectorsScreen,
  '/admin/cost-imports': loadCostsScreen,
  '/admin/event-streams': loadEventStreamsScreen,
  '/admin/reconciliation': loadReconciliationScreen,
  '/admin/organizations': loadOrganizations,
  '/admin/notifications': loadNotificationsScreen,
  '/admin/imports': loadImportsScreen,
  '/admin/billing': loadAdminBilling,
  '/admin/credit-grants': loadCreditGrantsScreen,
  '/admin/commitments': loadCommitmentsScreen,
  '/admin/discounts': loadDiscountsScreen,
  '/admin/contract-simulator': loadContractSimulatorScreen,
  '/admin/bank-statements': loadBankStatementsScreen,
  '/admin/einvoices': loadEinvoicesScreen,
  '/admin/one-off-charges': loadOneOffsScreen,
  '/admin/payments': loadAdminPayments,
  '/admin/dunning': loadDunningScreen,
  '/admin/finance': loadFinanceScreen,
  '/admin/ledger': loadAdminLedgerScreen,
  '/admin/accounting': loadAccountingScreen,
  '/admin/exchange-rates': loadRatesScreen,
  '/admin/quotas': loadAdminRaisesScreen,
  '/admin/announcements': loadAnnouncementsScreen,
  '/admin/backups': loadBackupsScreen,
  '/admin/personal-data': loadPersonalDataScreen,
  '/admin/data-exports': loadDataExportsScreen,
  '/admin/system-settings': loadSettingsScreen,
  '/admin/rejected-events': loadRejectedScreen,
  '/admin/api-keys': loadApiKeysScreen,
  '/admin/security': loadSecurity,
  '/admin/sandboxes': loadSandboxesScreen,
  '/admin/approvals': loadApprovalsScreen,
  '/admin/identity-providers': loadProviders,
  '/admin/monitoring': loadMonitoringScreen,
  '/admin/audit-log': loadAuditLogScreen,
  '/admin/audit-exports': loadAuditExportsScreen,
  '/admin/licenses': loadLicencesScreen,
  '/admin/quotes': loadQuotesScreen,
  '/admin/taxes': loadTaxesScreen,
  '/admin/permissions': () =>
    withTexts(import('./permissions/PermissionsScreen.tsx'), 'console').then(
      (module) => module.PermissionsScreen,
    ),
};

/** Loads the screen for a path of the Admin's menu. Throws for a path without one. */
export function loadOperatorScreen(path: string): Promise<ComponentType> {
  const load = loaders[path];
  if (!load) throw new Error(`no screen for ${path}`);
  return load();
}

/** The paths that have a screen. */
export const operatorPaths: readonly string[] = Object.keys(loaders);
