// Every column's sentences, by namespace: served to browsers, and used for what the server itself says.
import type { Namespaces } from '#platform/server/locales-http.ts';
import { enUS as platformEn } from '#platform/locales/enUS.ts';
import { zhTW as platformZh } from '#platform/locales/zhTW.ts';
import { enUS as identityEn } from '#features/identity/locales/enUS.ts';
import { zhTW as identityZh } from '#features/identity/locales/zhTW.ts';
import { enUS as auditEn } from '#features/audit/locales/enUS.ts';
import { zhTW as auditZh } from '#features/audit/locales/zhTW.ts';
import { enUS as federationEn } from '#features/federation/locales/enUS.ts';
import { zhTW as federationZh } from '#features/federation/locales/zhTW.ts';
import { enUS as signinEn } from '#features/signin/locales/enUS.ts';
import { zhTW as signinZh } from '#features/signin/locales/zhTW.ts';
import { enUS as usersEn } from '#features/users/locales/enUS.ts';
import { zhTW as usersZh } from '#features/users/locales/zhTW.ts';
import { enUS as pushEn } from '#features/push/locales/enUS.ts';
import { zhTW as pushZh } from '#features/push/locales/zhTW.ts';
import { enUS as smsEn } from '#features/sms/locales/enUS.ts';
import { zhTW as smsZh } from '#features/sms/locales/zhTW.ts';
import { enUS as notificationsEn } from '#features/notifications/locales/enUS.ts';
import { zhTW as notificationsZh } from '#features/notifications/locales/zhTW.ts';
import { enUS as webhooksEn } from '#features/webhooks/locales/enUS.ts';
import { zhTW as webhooksZh } from '#features/webhooks/locales/zhTW.ts';
import { enUS as catalogueEn } from '#features/catalogue/locales/enUS.ts';
import { zhTW as catalogueZh } from '#features/catalogue/locales/zhTW.ts';
import { enUS as subscriptionsEn } from '#features/subscriptions/locales/enUS.ts';
import { zhTW as subscriptionsZh } from '#features/subscriptions/locales/zhTW.ts';
import { enUS as announcementsEn } from '#features/announcements/locales/enUS.ts';
import { zhTW as announcementsZh } from '#features/announcements/locales/zhTW.ts';
import { enUS as usageEn } from '#features/usage/locales/enUS.ts';
import { zhTW as usageZh } from '#features/usage/locales/zhTW.ts';
import { enUS as insightsEn } from '#features/insights/locales/enUS.ts';
import { zhTW as insightsZh } from '#features/insights/locales/zhTW.ts';
import { enUS as rejectionsEn } from '#features/rejections/locales/enUS.ts';
import { zhTW as rejectionsZh } from '#features/rejections/locales/zhTW.ts';
import { enUS as quotasEn } from '#features/quotas/locales/enUS.ts';
import { zhTW as quotasZh } from '#features/quotas/locales/zhTW.ts';
import { enUS as budgetsEn } from '#features/budgets/locales/enUS.ts';
import { zhTW as budgetsZh } from '#features/budgets/locales/zhTW.ts';
import { enUS as billingEn } from '#features/billing/locales/enUS.ts';
import { zhTW as billingZh } from '#features/billing/locales/zhTW.ts';
import { enUS as planningEn } from '#features/planning/locales/enUS.ts';
import { zhTW as planningZh } from '#features/planning/locales/zhTW.ts';
import { enUS as creditsEn } from '#features/credits/locales/enUS.ts';
import { zhTW as creditsZh } from '#features/credits/locales/zhTW.ts';
import { enUS as gatewaysEn } from '#features/gateways/locales/enUS.ts';
import { zhTW as gatewaysZh } from '#features/gateways/locales/zhTW.ts';
import { enUS as paymentsEn } from '#features/payments/locales/enUS.ts';
import { zhTW as paymentsZh } from '#features/payments/locales/zhTW.ts';
import { enUS as bankingEn } from '#features/banking/locales/enUS.ts';
import { zhTW as bankingZh } from '#features/banking/locales/zhTW.ts';
import { enUS as dunningEn } from '#features/dunning/locales/enUS.ts';
import { zhTW as dunningZh } from '#features/dunning/locales/zhTW.ts';
import { enUS as booksEn } from '#features/books/locales/enUS.ts';
import { zhTW as booksZh } from '#features/books/locales/zhTW.ts';
import { enUS as packsEn } from '#features/packs/locales/enUS.ts';
import { zhTW as packsZh } from '#features/packs/locales/zhTW.ts';
import { enUS as licensingEn } from '#features/licensing/locales/enUS.ts';
import { zhTW as licensingZh } from '#features/licensing/locales/zhTW.ts';
import { enUS as backupsEn } from '#features/backups/locales/enUS.ts';
import { zhTW as backupsZh } from '#features/backups/locales/zhTW.ts';
import { enUS as administrationEn } from '#features/administration/locales/enUS.ts';
import { zhTW as administrationZh } from '#features/administration/locales/zhTW.ts';
import { enUS as securityEn } from '#features/security/locales/enUS.ts';
import { zhTW as securityZh } from '#features/security/locales/zhTW.ts';
import { enUS as monitoringEn } from '#features/monitoring/locales/enUS.ts';
import { zhTW as monitoringZh } from '#features/monitoring/locales/zhTW.ts';
import { enUS as paletteEn } from './locales/palette/enUS.ts';
import { zhTW as paletteZh } from './locales/palette/zhTW.ts';
import { enUS as consoleEn } from './locales/console/enUS.ts';
import { zhTW as consoleZh } from './locales/console/zhTW.ts';
import { enUS as appEn } from './locales/enUS.ts';
import { zhTW as appZh } from './locales/zhTW.ts';

export const namespaces: Namespaces = {
  app: { zhTW: appZh, enUS: appEn },
  console: { zhTW: consoleZh, enUS: consoleEn },
  palette: { zhTW: paletteZh, enUS: paletteEn },
  platform: { zhTW: platformZh, enUS: platformEn },
  identity: { zhTW: identityZh, enUS: identityEn },
  audit: { zhTW: auditZh, enUS: auditEn },
  signin: { zhTW: signinZh, enUS: signinEn },
  users: { zhTW: usersZh, enUS: usersEn },
  federation: { zhTW: federationZh, enUS: federationEn },
  push: { zhTW: pushZh, enUS: pushEn },
  sms: { zhTW: smsZh, enUS: smsEn },
  notifications: { zhTW: notificationsZh, enUS: notificationsEn },
  webhooks: { zhTW: webhooksZh, enUS: webhooksEn },
  catalogue: { zhTW: catalogueZh, enUS: catalogueEn },
  subscriptions: { zhTW: subscriptionsZh, enUS: subscriptionsEn },
  announcements: { zhTW: announcementsZh, enUS: announcementsEn },
  usage: { zhTW: usageZh, enUS: usageEn },
  insights: { zhTW: insightsZh, enUS: insightsEn },
  rejections: { zhTW: rejectionsZh, enUS: rejectionsEn },
  quotas: { zhTW: quotasZh, enUS: quotasEn },
  budgets: { zhTW: budgetsZh, enUS: budgetsEn },
  billing: { zhTW: billingZh, enUS: billingEn },
  planning: { zhTW: planningZh, enUS: planningEn },
  credits: { zhTW: creditsZh, enUS: creditsEn },
  gateways: { zhTW: gatewaysZh, enUS: gatewaysEn },
  payments: { zhTW: paymentsZh, enUS: paymentsEn },
  banking: { zhTW: bankingZh, enUS: bankingEn },
  dunning: { zhTW: dunningZh, enUS: dunningEn },
  books: { zhTW: booksZh, enUS: booksEn },
  packs: { zhTW: packsZh, enUS: packsEn },
  licensing: { zhTW: licensingZh, enUS: licensingEn },
  backups: { zhTW: backupsZh, enUS: backupsEn },
  administration: { zhTW: administrationZh, enUS: administrationEn },
  security: { zhTW: securityZh, enUS: securityEn },
  monitoring: { zhTW: monitoringZh, enUS: monitoringEn },
};
