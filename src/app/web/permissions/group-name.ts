// The names of the permission table's groups.
import { useTranslation, type TextKey } from '#platform/web/i18n/i18n.ts';

const names: Readonly<Record<string, TextKey<'console'>>> = {
  pages: 'permissions.group_pages',
  identity: 'permissions.group_identity',
  audit: 'permissions.group_audit',
  signin: 'permissions.group_signin',
  users: 'permissions.group_users',
  push: 'permissions.group_push',
  sms: 'permissions.group_sms',
  webhooks: 'permissions.group_webhooks',
  announcements: 'permissions.group_announcements',
  planning: 'permissions.group_planning',
  federation: 'permissions.group_federation',
  providers: 'permissions.group_providers',
  customroles: 'permissions.group_customroles',
  devices: 'permissions.group_devices',
  notifications: 'permissions.group_notifications',
  meters: 'permissions.group_meters',
  catalogue: 'permissions.group_catalogue',
  subscriptions: 'permissions.group_subscriptions',
  usage: 'permissions.group_usage',
  insights: 'permissions.group_insights',
  rejections: 'permissions.group_rejections',
  connectors: 'permissions.group_connectors',
  costs: 'permissions.group_costs',
  eventstreams: 'permissions.group_eventstreams',
  reconciliation: 'permissions.group_reconciliation',
  quotas: 'permissions.group_quotas',
  budgets: 'permissions.group_budgets',
  books: 'permissions.group_books',
  metrics: 'permissions.group_metrics',
  rates: 'permissions.group_rates',
  accounting: 'permissions.group_accounting',
  collection: 'permissions.group_collection',
  plans: 'permissions.group_plans',
  latefees: 'permissions.group_latefees',
  creditlimits: 'permissions.group_creditlimits',
  topups: 'permissions.group_topups',
  packs: 'permissions.group_packs',
  taxes: 'permissions.group_taxes',
  en16931: 'permissions.group_en16931',
  billproofs: 'permissions.group_billproofs',
  oneoffs: 'permissions.group_oneoffs',
  creditgrants: 'permissions.group_creditgrants',
  commitments: 'permissions.group_commitments',
  payers: 'permissions.group_payers',
  discounts: 'permissions.group_discounts',
  billing: 'permissions.group_billing',
  credits: 'permissions.group_credits',
  quotes: 'permissions.group_quotes',
  gateways: 'permissions.group_gateways',
  payments: 'permissions.group_payments',
  banking: 'permissions.group_banking',
  einvoices: 'permissions.group_einvoices',
  dunning: 'permissions.group_dunning',
  licensing: 'permissions.group_licensing',
  backups: 'permissions.group_backups',
  security: 'permissions.group_security',
  monitoring: 'permissions.group_monitoring',
  administration: 'permissions.group_administration',
  console: 'permissions.group_console',
  grants: 'permissions.group_grants',
};

/** A feature without a name here is shown by its id. */
export function useGroupName(): (group: string) => string {
  const { t } = useTranslation('console');
  return (group) => {
    const key = names[group];
    return key === undefined ? group : t(key);
  };
}
