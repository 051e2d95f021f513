// Labels of settings and their values as texts, for their history.
import type { Settings } from '../contract.ts';
import type { enUS } from '../locales/enUS.ts';

type Key = keyof typeof enUS;

const labels: Readonly<Record<keyof Settings, Key>> = {
  name: 'administration.system_name',
  companyPrefix: 'administration.company_prefix',
  supportEmail: 'administration.support_email',
  currency: 'administration.currency',
  timeZone: 'administration.time_zone',
  language: 'administration.default_language',
  taxRate: 'administration.tax_rate',
  dueDays: 'administration.due_days',
  graceHours: 'administration.grace_hours',
  packKeepDays: 'administration.pack_keep_days',
  seller: 'administration.section_seller',
  quotaWarningPercent: 'administration.quota_warning',
  quotaCriticalPercent: 'administration.quota_critical',
  rejectedEventDays: 'administration.rejected_days',
  eventRetentionMonths: 'administration.event_retention',
  archiveEvents: 'administration.archive_events',
  forgetEventIds: 'administration.forget_event_ids',
  webhookOffDays: 'administration.webhook_off_days',
  minimumPasswordLength: 'administration.minimum_password',
  requireAdminTwoFactor: 'administration.require_two_factor',
  providerAllowsAdmin: 'administration.provider_admin',
  providerDefaultRole: 'administration.provider_role',
};

const isKey = (key: string): key is keyof Settings => Object.hasOwn(labels, key);

/** The label of a setting's field, or a generic one if the field no longer exists. */
export const labelOf = (key: string): Key => (isKey(key) ? labels[key] : 'administration.history_other');

/** A stored value as text: translated booleans, and the fields of an object one after the other. */
export function valueText(
  value: unknown,
  words: { readonly yes: string; readonly no: string; readonly empty: string },
): string {
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (typeof value === 'object' && value !== null)
    return (
      Object.values(value)
        .filter((part) => part !== '')
        .map((part) => valueText(part, words))
        .join(' · ') || words.empty
    );
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : words.empty;
}
