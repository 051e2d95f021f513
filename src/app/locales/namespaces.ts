// Every feature's texts by namespace: served to browsers and used by the server.
import type { Namespaces } from '#kernel/text.ts';
import { enUS as platformEn } from '#platform/locales/enUS.ts';
import { zhTW as platformZh } from '#platform/locales/zhTW.ts';
import { enUS as identityEn } from '#features/access/identity/locales/enUS.ts';
import { zhTW as identityZh } from '#features/access/identity/locales/zhTW.ts';
import { enUS as auditEn } from '#features/access/audit/locales/enUS.ts';
import { zhTW as auditZh } from '#features/access/audit/locales/zhTW.ts';
import { enUS as federationEn } from '#features/access/federation/locales/enUS.ts';
import { zhTW as federationZh } from '#features/access/federation/locales/zhTW.ts';
import { enUS as approvalsEn } from '#features/access/approvals/locales/enUS.ts';
import { zhTW as approvalsZh } from '#features/access/approvals/locales/zhTW.ts';
import { enUS as sessionPoliciesEn } from '#features/access/session-policies/locales/enUS.ts';
import { zhTW as sessionPoliciesZh } from '#features/access/session-policies/locales/zhTW.ts';
import { enUS as portalEn } from '#features/access/portal/locales/enUS.ts';
import { zhTW as portalZh } from '#features/access/portal/locales/zhTW.ts';
import { enUS as customRolesEn } from '#features/access/custom-roles/locales/enUS.ts';
import { zhTW as customRolesZh } from '#features/access/custom-roles/locales/zhTW.ts';
import { enUS as devicesEn } from '#features/access/devices/locales/enUS.ts';
import { zhTW as devicesZh } from '#features/access/devices/locales/zhTW.ts';
import { enUS as signinEn } from '#features/access/signin/locales/enUS.ts';
import { zhTW as signinZh } from '#features/access/signin/locales/zhTW.ts';
import { enUS as usersEn } from '#features/access/users/locales/enUS.ts';
import { zhTW as usersZh } from '#features/access/users/locales/zhTW.ts';
import { enUS as providersEn } from '#features/access/providers/locales/enUS.ts';
import { zhTW as providersZh } from '#features/access/providers/locales/zhTW.ts';
import { enUS as pushEn } from '#features/messaging/push/locales/enUS.ts';
import { zhTW as pushZh } from '#features/messaging/push/locales/zhTW.ts';
import { enUS as smsEn } from '#features/messaging/sms/locales/enUS.ts';
import { zhTW as smsZh } from '#features/messaging/sms/locales/zhTW.ts';
import { enUS as notificationsEn } from '#features/messaging/notifications/locales/enUS.ts';
import { zhTW as notificationsZh } from '#features/messaging/notifications/locales/zhTW.ts';
import { enUS as webhooksEn } from '#features/messaging/webhooks/locales/enUS.ts';
import { zhTW as webhooksZh } from '#features/messaging/webhooks/locales/zhTW.ts';
import { enUS as metersEn } from '#features/selling/meters/locales/enUS.ts';
import { zhTW as metersZh } from '#features/selling/meters/locales/zhTW.ts';
import { enUS as ratingEn } from '#features/selling/rating/locales/enUS.ts';
import { zhTW as ratingZh } from '#features/selling/rating/locales/zhTW.ts';
import { enUS as catalogueEn } from '#features/selling/catalogue/locales/enUS.ts';
import { zhTW as catalogueZh } from '#features/selling/catalogue/locales/zhTW.ts';
import { enUS as subscriptionsEn } from '#features/selling/subscriptions/locales/enUS.ts';
import { zhTW as subscriptionsZh } from '#features/selling/subscriptions/locales/zhTW.ts';
import { enUS as announcementsEn } from '#features/operations/announcements/locales/enUS.ts';
import { zhTW as announcementsZh } from '#features/operations/announcements/locales/zhTW.ts';
import { enUS as usageEn } from '#features/metering/usage/locales/enUS.ts';
import { zhTW as usageZh } from '#features/metering/usage/locales/zhTW.ts';
import { enUS as costsEn } from '#features/metering/cost-imports/locales/enUS.ts';
import { zhTW as costsZh } from '#features/metering/cost-imports/locales/zhTW.ts';
import { enUS as reconciliationEn } from '#features/metering/reconciliation/locales/enUS.ts';
import { zhTW as reconciliationZh } from '#features/metering/reconciliation/locales/zhTW.ts';
import { enUS as connectorsEn } from '#features/metering/connectors/locales/enUS.ts';
import { zhTW as connectorsZh } from '#features/metering/connectors/locales/zhTW.ts';
import { enUS as auditExportsEn } from '#features/messaging/audit-exports/locales/enUS.ts';
import { zhTW as auditExportsZh } from '#features/messaging/audit-exports/locales/zhTW.ts';
import { enUS as eventStreamsEn } from '#features/metering/event-streams/locales/enUS.ts';
import { zhTW as eventStreamsZh } from '#features/metering/event-streams/locales/zhTW.ts';
import { enUS as insightsEn } from '#features/metering/insights/locales/enUS.ts';
import { zhTW as insightsZh } from '#features/metering/insights/locales/zhTW.ts';
import { enUS as rejectionsEn } from '#features/metering/rejections/locales/enUS.ts';
import { zhTW as rejectionsZh } from '#features/metering/rejections/locales/zhTW.ts';
import { enUS as quotasEn } from '#features/metering/quotas/locales/enUS.ts';
import { zhTW as quotasZh } from '#features/metering/quotas/locales/zhTW.ts';
import { enUS as collectionEn } from '#features/receivables/collection/locales/enUS.ts';
import { zhTW as collectionZh } from '#features/receivables/collection/locales/zhTW.ts';
import { enUS as latefeesEn } from '#features/receivables/late-fees/locales/enUS.ts';
import { zhTW as latefeesZh } from '#features/receivables/late-fees/locales/zhTW.ts';
import { enUS as plansEn } from '#features/receivables/payment-plans/locales/enUS.ts';
import { zhTW as plansZh } from '#features/receivables/payment-plans/locales/zhTW.ts';
import { enUS as creditlimitsEn } from '#features/receivables/credit-limits/locales/enUS.ts';
import { zhTW as creditlimitsZh } from '#features/receivables/credit-limits/locales/zhTW.ts';
import { enUS as topupsEn } from '#features/receivables/top-ups/locales/enUS.ts';
import { zhTW as topupsZh } from '#features/receivables/top-ups/locales/zhTW.ts';
import { enUS as budgetsEn } from '#features/metering/budgets/locales/enUS.ts';
import { zhTW as budgetsZh } from '#features/metering/budgets/locales/zhTW.ts';
import { enUS as creditgrantsEn } from '#features/invoicing/credit-grants/locales/enUS.ts';
import { zhTW as creditgrantsZh } from '#features/invoicing/credit-grants/locales/zhTW.ts';
import { enUS as resellersEn } from '#features/invoicing/resellers/locales/enUS.ts';
import { zhTW as resellersZh } from '#features/invoicing/resellers/locales/zhTW.ts';
import { enUS as payersEn } from '#features/invoicing/payers/locales/enUS.ts';
import { zhTW as payersZh } from '#features/invoicing/payers/locales/zhTW.ts';
import { enUS as commitmentsEn } from '#features/invoicing/commitments/locales/enUS.ts';
import { zhTW as commitmentsZh } from '#features/invoicing/commitments/locales/zhTW.ts';
import { enUS as discountsEn } from '#features/invoicing/discounts/locales/enUS.ts';
import { zhTW as discountsZh } from '#features/invoicing/discounts/locales/zhTW.ts';
import { enUS as billingEn } from '#features/invoicing/billing/locales/enUS.ts';
import { zhTW as billingZh } from '#features/invoicing/billing/locales/zhTW.ts';
import { enUS as taxesEn } from '#features/invoicing/taxes/locales/enUS.ts';
import { zhTW as taxesZh } from '#features/invoicing/taxes/locales/zhTW.ts';
import { enUS as planningEn } from '#features/invoicing/planning/locales/enUS.ts';
import { zhTW as planningZh } from '#features/invoicing/planning/locales/zhTW.ts';
import { enUS as oneOffsEn } from '#features/invoicing/one-offs/locales/enUS.ts';
import { zhTW as oneOffsZh } from '#features/invoicing/one-offs/locales/zhTW.ts';
import { enUS as creditsEn } from '#features/invoicing/credits/locales/enUS.ts';
import { zhTW as creditsZh } from '#features/invoicing/credits/locales/zhTW.ts';
import { enUS as quotesEn } from '#features/invoicing/quotes/locales/enUS.ts';
import { zhTW as quotesZh } from '#features/invoicing/quotes/locales/zhTW.ts';
import { enUS as gatewaysEn } from '#features/receivables/gateways/locales/enUS.ts';
import { zhTW as gatewaysZh } from '#features/receivables/gateways/locales/zhTW.ts';
import { enUS as paymentsEn } from '#features/receivables/payments/locales/enUS.ts';
import { zhTW as paymentsZh } from '#features/receivables/payments/locales/zhTW.ts';
import { enUS as einvoicesEn } from '#features/receivables/einvoices/locales/enUS.ts';
import { zhTW as einvoicesZh } from '#features/receivables/einvoices/locales/zhTW.ts';
import { enUS as bankingEn } from '#features/receivables/banking/locales/enUS.ts';
import { zhTW as bankingZh } from '#features/receivables/banking/locales/zhTW.ts';
import { enUS as dunningEn } from '#features/receivables/dunning/locales/enUS.ts';
import { zhTW as dunningZh } from '#features/receivables/dunning/locales/zhTW.ts';
import { enUS as booksEn } from '#features/reporting/books/locales/enUS.ts';
import { zhTW as booksZh } from '#features/reporting/books/locales/zhTW.ts';
import { enUS as packsEn } from '#features/reporting/packs/locales/enUS.ts';
import { zhTW as packsZh } from '#features/reporting/packs/locales/zhTW.ts';
import { enUS as en16931En } from '#features/reporting/en16931/locales/enUS.ts';
import { zhTW as en16931Zh } from '#features/reporting/en16931/locales/zhTW.ts';
import { enUS as billProofsEn } from '#features/operations/bill-proofs/locales/enUS.ts';
import { zhTW as billProofsZh } from '#features/operations/bill-proofs/locales/zhTW.ts';
import { enUS as accountingEn } from '#features/reporting/accounting/locales/enUS.ts';
import { zhTW as accountingZh } from '#features/reporting/accounting/locales/zhTW.ts';
import { enUS as ratesEn } from '#features/reporting/rates/locales/enUS.ts';
import { zhTW as ratesZh } from '#features/reporting/rates/locales/zhTW.ts';
import { enUS as metricsEn } from '#features/reporting/metrics/locales/enUS.ts';
import { zhTW as metricsZh } from '#features/reporting/metrics/locales/zhTW.ts';
import { enUS as licensingEn } from '#features/operations/licensing/locales/enUS.ts';
import { zhTW as licensingZh } from '#features/operations/licensing/locales/zhTW.ts';
import { enUS as dataExportsEn } from '#features/operations/data-exports/locales/enUS.ts';
import { zhTW as dataExportsZh } from '#features/operations/data-exports/locales/zhTW.ts';
import { enUS as backupsEn } from '#features/operations/backups/locales/enUS.ts';
import { zhTW as backupsZh } from '#features/operations/backups/locales/zhTW.ts';
import { enUS as administrationEn } from '#features/operations/administration/locales/enUS.ts';
import { zhTW as administrationZh } from '#features/operations/administration/locales/zhTW.ts';
import { enUS as sandboxesEn } from '#features/operations/sandboxes/locales/enUS.ts';
import { zhTW as sandboxesZh } from '#features/operations/sandboxes/locales/zhTW.ts';
import { enUS as securityEn } from '#features/operations/security/locales/enUS.ts';
import { zhTW as securityZh } from '#features/operations/security/locales/zhTW.ts';
import { enUS as monitoringEn } from '#features/operations/monitoring/locales/enUS.ts';
import { zhTW as monitoringZh } from '#features/operations/monitoring/locales/zhTW.ts';
import { enUS as personalDataEn } from '#features/operations/personal-data/locales/enUS.ts';
import { zhTW as personalDataZh } from '#features/operations/personal-data/locales/zhTW.ts';
import { enUS as paletteEn } from './palette/enUS.ts';
import { zhTW as paletteZh } from './palette/zhTW.ts';
import { enUS as consoleEn } from './console/enUS.ts';
import { zhTW as consoleZh } from './console/zhTW.ts';
import { enUS as appEn } from './enUS.ts';
import { zhTW as appZh } from './zhTW.ts';

export const namespaces = {
  app: { zhTW: appZh, enUS: appEn },
  console: { zhTW: consoleZh, enUS: consoleEn },
  palette: { zhTW: paletteZh, enUS: paletteEn },
  platform: { zhTW: platformZh, enUS: platformEn },
  identity: { zhTW: identityZh, enUS: identityEn },
  audit: { zhTW: auditZh, enUS: auditEn },
  approvals: { zhTW: approvalsZh, enUS: approvalsEn },
  signin: { zhTW: signinZh, enUS: signinEn },
  users: { zhTW: usersZh, enUS: usersEn },
  federation: { zhTW: federationZh, enUS: federationEn },
  providers: { zhTW: providersZh, enUS: providersEn },
  portal: { zhTW: portalZh, enUS: portalEn },
  sessionpolicies: { zhTW: sessionPoliciesZh, enUS: sessionPoliciesEn },
  customroles: { zhTW: customRolesZh, enUS: customRolesEn },
  devices: { zhTW: devicesZh, enUS: devicesEn },
  push: { zhTW: pushZh, enUS: pushEn },
  sms: { zhTW: smsZh, enUS: smsEn },
  notifications: { zhTW: notificationsZh, enUS: notificationsEn },
  webhooks: { zhTW: webhooksZh, enUS: webhooksEn },
  meters: { zhTW: metersZh, enUS: metersEn },
  rating: { zhTW: ratingZh, enUS: ratingEn },
  catalogue: { zhTW: catalogueZh, enUS: catalogueEn },
  subscriptions: { zhTW: subscriptionsZh, enUS: subscriptionsEn },
  announcements: { zhTW: announcementsZh, enUS: announcementsEn },
  usage: { zhTW: usageZh, enUS: usageEn },
  insights: { zhTW: insightsZh, enUS: insightsEn },
  rejections: { zhTW: rejectionsZh, enUS: rejectionsEn },
  quotas: { zhTW: quotasZh, enUS: quotasEn },
  costs: { zhTW: costsZh, enUS: costsEn },
  connectors: { zhTW: connectorsZh, enUS: connectorsEn },
  eventstreams: { zhTW: eventStreamsZh, enUS: eventStreamsEn },
  auditexports: { zhTW: auditExportsZh, enUS: auditExportsEn },
  reconciliation: { zhTW: reconciliationZh, enUS: reconciliationEn },
  budgets: { zhTW: budgetsZh, enUS: budgetsEn },
  collection: { zhTW: collectionZh, enUS: collectionEn },
  latefees: { zhTW: latefeesZh, enUS: latefeesEn },
  plans: { zhTW: plansZh, enUS: plansEn },
  creditlimits: { zhTW: creditlimitsZh, enUS: creditlimitsEn },
  topups: { zhTW: topupsZh, enUS: topupsEn },
  oneoffs: { zhTW: oneOffsZh, enUS: oneOffsEn },
  creditgrants: { zhTW: creditgrantsZh, enUS: creditgrantsEn },
  commitments: { zhTW: commitmentsZh, enUS: commitmentsEn },
  resellers: { zhTW: resellersZh, enUS: resellersEn },
  payers: { zhTW: payersZh, enUS: payersEn },
  discounts: { zhTW: discountsZh, enUS: discountsEn },
  billing: { zhTW: billingZh, enUS: billingEn },
  taxes: { zhTW: taxesZh, enUS: taxesEn },
  planning: { zhTW: planningZh, enUS: planningEn },
  quotes: { zhTW: quotesZh, enUS: quotesEn },
  credits: { zhTW: creditsZh, enUS: creditsEn },
  gateways: { zhTW: gatewaysZh, enUS: gatewaysEn },
  payments: { zhTW: paymentsZh, enUS: paymentsEn },
  banking: { zhTW: bankingZh, enUS: bankingEn },
  einvoices: { zhTW: einvoicesZh, enUS: einvoicesEn },
  dunning: { zhTW: dunningZh, enUS: dunningEn },
  books: { zhTW: booksZh, enUS: booksEn },
  packs: { zhTW: packsZh, enUS: packsEn },
  en16931: { zhTW: en16931Zh, enUS: en16931En },
  billproofs: { zhTW: billProofsZh, enUS: billProofsEn },
  accounting: { zhTW: accountingZh, enUS: accountingEn },
  rates: { zhTW: ratesZh, enUS: ratesEn },
  metrics: { zhTW: metricsZh, enUS: metricsEn },
  licensing: { zhTW: licensingZh, enUS: licensingEn },
  backups: { zhTW: backupsZh, enUS: backupsEn },
  dataexports: { zhTW: dataExportsZh, enUS: dataExportsEn },
  personaldata: { zhTW: personalDataZh, enUS: personalDataEn },
  administration: { zhTW: administrationZh, enUS: administrationEn },
  sandboxes: { zhTW: sandboxesZh, enUS: sandboxesEn },
  security: { zhTW: securityZh, enUS: securityEn },
  monitoring: { zhTW: monitoringZh, enUS: monitoringEn },
} satisfies Namespaces;
