// The sections of the settings, and the search terms of each.
import type { enUS } from '../locales/enUS.ts';
import { labelOf } from './settings-labels.ts';
import {
  billingSection,
  generalSection,
  localeSection,
  meteringSection,
  quotaSection,
  securitySection,
  webhookSection,
} from './settings-values.ts';

type Key = keyof typeof enUS;

export const settingsSections = [
  'general',
  'locale',
  'billing',
  'seller',
  'quotas',
  'metering',
  'webhooks',
  'security',
  'sms',
  'services',
  'environment',
  'limits',
  'history',
] as const;
export type SettingsSection = (typeof settingsSections)[number];

const forms: Partial<Record<SettingsSection, { readonly schema: { readonly shape: object } }>> = {
  general: generalSection,
  locale: localeSection,
  billing: billingSection,
  quotas: quotaSection,
  metering: meteringSection,
  webhooks: webhookSection,
  security: securitySection,
};
const others: Partial<Record<SettingsSection, readonly Key[]>> = {
  seller: [
    'administration.section_seller_lead',
    'administration.seller_name',
    'administration.seller_tax_id',
    'administration.seller_address',
    'administration.seller_email',
  ],
  services: ['administration.section_services_lead', 'administration.services_words'],
  environment: ['administration.section_environment_lead', 'administration.environment_words'],
  limits: ['administration.limit_session', 'administration.limit_token', 'administration.limit_timeout'],
  history: ['administration.section_history_lead'],
};

/** The labels of a section's fields, or its other search terms. */
export const wordsOf = (section: SettingsSection): readonly Key[] => [
  ...Object.keys(forms[section]?.schema.shape ?? {}).map(labelOf),
  ...(others[section] ?? []),
];
