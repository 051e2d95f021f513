// The columns' server sides in their order, with what the roof plugs into them.
import type { Feature } from '#platform/server/feature.ts';
import { administrationFeature } from '#features/administration/server/index.ts';
import { announcementsFeature } from '#features/announcements/server/index.ts';
import { auditFeature } from '#features/audit/server/index.ts';
import { bankingFeature } from '#features/banking/server/index.ts';
import { budgetsFeature } from '#features/budgets/server/index.ts';
import { booksFeature } from '#features/books/server/index.ts';
import { billingFeature } from '#features/billing/server/index.ts';
import { catalogueFeature } from '#features/catalogue/server/index.ts';
import { dunningFeature } from '#features/dunning/server/index.ts';
import { corrections, creditsFeature } from '#features/credits/server/index.ts';
import { identityFeature } from '#features/identity/server/index.ts';
import { federationFeature } from '#features/federation/server/index.ts';
import { gatewaysFeature } from '#features/gateways/server/index.ts';
import { insightsFeature } from '#features/insights/server/index.ts';
import { licensingFeature } from '#features/licensing/server/index.ts';
import { notificationsFeature } from '#features/notifications/server/index.ts';
import { packsFeature } from '#features/packs/server/index.ts';
import { paymentsFeature } from '#features/payments/server/index.ts';
import { pushFeature } from '#features/push/server/index.ts';
import { quotasFeature, quotasNow } from '#features/quotas/server/index.ts';
import { rejectionsFeature } from '#features/rejections/server/index.ts';
import { planningFeature } from '#features/planning/server/index.ts';
import { proveOwner, signinFeature } from '#features/signin/server/index.ts';
import { securityFeature } from '#features/security/server/index.ts';
import { smsFeature } from '#features/sms/server/index.ts';
import { subscriptionCounts, subscriptionsFeature } from '#features/subscriptions/server/index.ts';
import { webhooksFeature } from '#features/webhooks/server/index.ts';
import { openEventsOf, usageFeature, usedNow } from '#features/usage/server/index.ts';

export const features: readonly Feature[] = [
  identityFeature,
  auditFeature,
  signinFeature,
  federationFeature({ proveOwner }),
  pushFeature,
  smsFeature,
  notificationsFeature,
  webhooksFeature,
  catalogueFeature({ subscriptionsOf: subscriptionCounts, openEventsOf }),
  subscriptionsFeature({ usedNow, quotasNow }),
  announcementsFeature,
  usageFeature,
  insightsFeature,
  rejectionsFeature,
  quotasFeature,
  budgetsFeature,
  billingFeature({ corrections }),
  planningFeature,
  creditsFeature,
  gatewaysFeature,
  paymentsFeature,
  bankingFeature,
  dunningFeature,
  booksFeature,
  packsFeature,
  licensingFeature,
  administrationFeature,
  securityFeature,
];
