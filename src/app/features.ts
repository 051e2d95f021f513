// The features' server sides in order, with the functions that the app passes to them.
import type { Feature } from '#platform/server/unit-of-work/feature.ts';
import { accountingFeature } from '#features/reporting/accounting/server/index.ts';
import { administrationFeature } from '#features/operations/administration/server/index.ts';
import { announcementsFeature } from '#features/operations/announcements/server/index.ts';
import { auditExportsFeature } from '#features/messaging/audit-exports/server/index.ts';
import { auditFeature } from '#features/access/audit/server/index.ts';
import { backupsFeature } from '#features/operations/backups/server/index.ts';
import { dataExportsFeature } from '#features/operations/data-exports/server/index.ts';
import { personalDataFeature } from '#features/operations/personal-data/server/index.ts';
import { bankingFeature } from '#features/receivables/banking/server/index.ts';
import { budgetsFeature } from '#features/metering/budgets/server/index.ts';
import { booksFeature } from '#features/reporting/books/server/index.ts';
import {
  billedUsage,
  billingFeature,
  closedFor,
  holdMonths,
  holdMonthsSince,
  plannedCreditUse,
  plannedDraw,
  reduceMonth,
} from '#features/invoicing/billing/server/index.ts';
import { creditLimitsFeature } from '#features/receivables/credit-limits/server/index.ts';
import { costImportsFeature } from '#features/metering/cost-imports/server/index.ts';
import { reconciliationFeature } from '#features/metering/reconciliation/server/index.ts';
import { collectionFeature } from '#features/receivables/collection/server/index.ts';
import { connectorsFeature } from '#features/metering/connectors/server/index.ts';
import { eventStreamsFeature } from '#features/metering/event-streams/server/index.ts';
import { catalogueFeature } from '#features/selling/catalogue/server/index.ts';
import { devicesFeature } from '#features/access/devices/server/index.ts';
import { portalFeature } from '#features/access/portal/server/index.ts';
import { sessionPoliciesFeature } from '#features/access/session-policies/server/index.ts';
import { customRolesFeature } from '#features/access/custom-roles/server/index.ts';
import { discountsFeature } from '#features/invoicing/discounts/server/index.ts';
import { createEInvoiceProvider, einvoicesFeature } from '#features/receivables/einvoices/server/index.ts';
import { en16931Feature } from '#features/reporting/en16931/server/index.ts';
import { dunningFeature } from '#features/receivables/dunning/server/index.ts';
import { creditGrantsFeature } from '#features/invoicing/credit-grants/server/index.ts';
import { commitmentsFeature } from '#features/invoicing/commitments/server/index.ts';
import { addedByMinimums, corrections, creditsFeature } from '#features/invoicing/credits/server/index.ts';
import { identityFeature } from '#features/access/identity/server/index.ts';
import { federationFeature } from '#features/access/federation/server/index.ts';
import { gatewaysFeature } from '#features/receivables/gateways/server/index.ts';
import { insightsFeature } from '#features/metering/insights/server/index.ts';
import { lateFeesFeature } from '#features/receivables/late-fees/server/index.ts';
import { licensingFeature } from '#features/operations/licensing/server/index.ts';
import { billProofsFeature } from '#features/operations/bill-proofs/server/index.ts';
import { metricsFeature } from '#features/reporting/metrics/server/index.ts';
import { metersFeature } from '#features/selling/meters/server/index.ts';
import { notificationsFeature } from '#features/messaging/notifications/server/index.ts';
import { oneOffsFeature } from '#features/invoicing/one-offs/server/index.ts';
import { packsFeature } from '#features/reporting/packs/server/index.ts';
import { payersFeature } from '#features/invoicing/payers/server/index.ts';
import { paymentPlansFeature } from '#features/receivables/payment-plans/server/index.ts';
import { paymentsFeature, spendableBalance } from '#features/receivables/payments/server/index.ts';
import { providersFeature } from '#features/access/providers/server/index.ts';
import { pushFeature } from '#features/messaging/push/server/index.ts';
import { ratesFeature } from '#features/reporting/rates/server/index.ts';
import { quotesFeature } from '#features/invoicing/quotes/server/index.ts';
import { quotasFeature, quotasNow } from '#features/metering/quotas/server/index.ts';
import { rejectionsFeature } from '#features/metering/rejections/server/index.ts';
import { planningFeature } from '#features/invoicing/planning/server/index.ts';
import { proveLogin, proveOwner, signinFeature } from '#features/access/signin/server/index.ts';
import { resellersFeature } from '#features/invoicing/resellers/server/index.ts';
import { sandboxesFeature } from '#features/operations/sandboxes/server/index.ts';
import { securityFeature } from '#features/operations/security/server/index.ts';
import { provisionedGroups } from '#features/access/scim/server/index.ts';
import { smsFeature } from '#features/messaging/sms/server/index.ts';
import { subscriptionCounts, subscriptionsFeature } from '#features/selling/subscriptions/server/index.ts';
import { taxesFeature } from '#features/invoicing/taxes/server/index.ts';
import { topUpsFeature } from '#features/receivables/top-ups/server/index.ts';
import { usersFeature } from '#features/access/users/server/index.ts';
import { webhooksFeature } from '#features/messaging/webhooks/server/index.ts';
import {
  openEventsOf,
  uncountedSince,
  usageFeature,
  usedNow,
} from '#features/metering/usage/server/index.ts';
import { approvalsFeature, type Console } from '#features/access/approvals/server/index.ts';
import { holdableCalls, type HoldableCall } from '#platform/server/http/held-calls.ts';
import { choices } from './approvals/choices.ts';
import { idNames, subjectOf } from './approvals/subjects.ts';
import { isWithdrawn } from './grants/grants.ts';
import { callPermissions } from './role-permissions.ts';
import { withoutResold } from './resold-calls.ts';

// Created at the first held call, because by then the features are known.
let found: ((name: string) => HoldableCall) | undefined;
/** What the approvals feature knows about the console's calls. */
export const approvalsConsole: Console = {
  choices,
  subjectOf,
  namesOf: idNames,
  callOf: (name) => (found ??= holdableCalls(features))(name),
  rights: { ...callPermissions, isWithdrawn },
};

const all: readonly Feature[] = [
  identityFeature,
  auditFeature,
  approvalsFeature(approvalsConsole),
  providersFeature,
  signinFeature,
  usersFeature,
  federationFeature({ proveLogin, proveOwner, provisionedGroups }),
  customRolesFeature,
  portalFeature,
  sessionPoliciesFeature,
  devicesFeature,
  pushFeature,
  smsFeature,
  notificationsFeature,
  webhooksFeature,
  auditExportsFeature,
  metersFeature,
  catalogueFeature({ subscriptionsOf: subscriptionCounts, openEventsOf }),
  subscriptionsFeature({ usedNow, quotasNow, uncountedSince, holdMonthsSince }),
  announcementsFeature,
  usageFeature,
  connectorsFeature({ holdMonthsSince }),
  costImportsFeature({ billedUsage, holdMonthsSince }),
  eventStreamsFeature,
  reconciliationFeature({ holdMonthsSince }),
  insightsFeature,
  rejectionsFeature,
  quotasFeature,
  budgetsFeature,
  taxesFeature,
  oneOffsFeature({ addedByMinimums }),
  creditGrantsFeature({ spendableBalance, plannedUse: plannedCreditUse }),
  commitmentsFeature({ plannedDraw, closedFor }),
  payersFeature({ holdMonths }),
  discountsFeature({ reduceMonth }),
  billingFeature({ corrections }),
  resellersFeature,
  planningFeature,
  creditsFeature,
  quotesFeature({ plannedDraw, closedFor }),
  gatewaysFeature,
  paymentsFeature,
  creditLimitsFeature,
  paymentPlansFeature,
  lateFeesFeature,
  collectionFeature,
  topUpsFeature,
  bankingFeature,
  einvoicesFeature({ createProvider: createEInvoiceProvider }),
  dunningFeature,
  booksFeature,
  packsFeature,
  en16931Feature,
  ratesFeature,
  metricsFeature,
  accountingFeature,
  licensingFeature,
  billProofsFeature,
  backupsFeature,
  personalDataFeature,
  dataExportsFeature,
  administrationFeature,
  sandboxesFeature,
  securityFeature,
];

/** The features' server sides. Calls about the operator's bills are rejected for customers of resellers. */
export const features: readonly Feature[] = all.map(withoutResold);
