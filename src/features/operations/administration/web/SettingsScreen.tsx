// The system settings, section by section; each has its own URL and is saved separately (R-ADM-03).
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { contentLanguages } from '#kernel/language.ts';
import { currencyCodes } from '#kernel/money.ts';
import type { Settings } from '../contract.ts';
import { SmsSettings } from '#features/messaging/sms/web/parts.ts';
import { accessTokenMinutes, sessionDays } from '#features/access/identity/rules.ts';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { SuggestField } from '#platform/web/form/SuggestField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { SectionLayout } from '#platform/web/ui/SectionLayout.tsx';
import { timeoutMs } from '#platform/web/api/transport.ts';
import { administrationQueries } from './api.ts';
import {
  billingSection,
  generalSection,
  localeSection,
  meteringSection,
  quotaSection,
  securitySection,
  sellerSection,
  webhookSection,
} from './settings-values.ts';
import { Environment } from './Environment.tsx';
import { Services } from './Services.tsx';
import { SettingsForm } from './SettingsForm.tsx';
import { SettingsHistory } from './SettingsHistory.tsx';
import { settingsSections, wordsOf, type SettingsSection } from './settings-sections.ts';
import { suggestedZones } from '#platform/web/form/time-zones.ts';

// used as: 'administration.provider_role_*'
const providerRoles = ['User', 'ReadOnly', 'refuse'] as const;

export function SettingsScreen() {
  const { t } = useTranslation('administration');
  // Not refetched on focus, because the answer could overwrite the Admin's input.
  const query = useQuery({ ...administrationQueries.getSettings(), refetchOnWindowFocus: false });
  const withSettings = (content: (settings: Settings) => ReactNode) => (
    <QueryState query={query} skeleton={<Block height={240} />}>
      {content}
    </QueryState>
  );
  const contents: Readonly<Record<SettingsSection, ReactNode>> = {
    general: withSettings((settings) => <GeneralSettings settings={settings} />),
    locale: withSettings((settings) => <LocaleSettings settings={settings} />),
    billing: withSettings((settings) => <BillingSettings settings={settings} />),
    seller: withSettings((settings) => <SellerSettings settings={settings} />),
    quotas: withSettings((settings) => <QuotaSettings settings={settings} />),
    metering: withSettings((settings) => <MeteringSettings settings={settings} />),
    webhooks: withSettings((settings) => <WebhookSettings settings={settings} />),
    security: withSettings((settings) => <SecuritySettings settings={settings} />),
    sms: <SmsSettings />,
    services: <Services />,
    environment: <Environment />,
    limits: <Limits />,
    history: <SettingsHistory />,
  };
  return (
    <Page title={t('administration.settings_title')} lead={t('administration.settings_lead')}>
      <SectionLayout
        label={t('administration.settings_sections')}
        search={t('administration.settings_search')}
        parts={settingsSections.map((name) => ({
          name,
          // used as: 'administration.section_*'
          label: t(`administration.section_${name}`),
          words: wordsOf(name).map((key) => t(key)),
          content: contents[name],
        }))}
      />
    </Page>
  );
}

function useSectionTitles() {
  const { t } = useTranslation('administration');
  return (anchor: Exclude<SettingsSection, 'sms' | 'services' | 'environment' | 'history'>) => ({
    title: t(`administration.section_${anchor}`),
    lead: t(`administration.section_${anchor}_lead`),
  });
}

type SectionProps = { readonly settings: Settings };

function GeneralSettings({ settings }: SectionProps) {
  const { t } = useTranslation('administration');
  const section = useSectionTitles();
  return (
    <SettingsForm
      {...section('general')}
      {...generalSection}
      values={generalSection.valuesOf(settings)}
      changeOf={(typed) => typed}
    >
      {(form, mark) => (
        <>
          <TextField
            form={form}
            name="companyPrefix"
            label={t('administration.company_prefix')}
            help={mark('companyPrefix')}
            autoComplete="organization"
          />
          <TextField
            form={form}
            name="name"
            label={t('administration.system_name')}
            help={mark('name')}
            required
          />
          <TextField
            form={form}
            name="supportEmail"
            label={t('administration.support_email')}
            help={mark('supportEmail', t('administration.support_email_help'))}
            inputMode="email"
          />
          <SelectField
            form={form}
            name="language"
            label={t('administration.default_language')}
            help={mark('language', t('administration.default_language_help'))}
            options={contentLanguages.map((one) => ({
              value: one,
              label: t(`administration.language_${one}`),
            }))}
          />
        </>
      )}
    </SettingsForm>
  );
}

function LocaleSettings({ settings }: SectionProps) {
  const { t } = useTranslation('administration');
  const section = useSectionTitles();
  return (
    <SettingsForm
      {...section('locale')}
      {...localeSection}
      values={localeSection.valuesOf(settings)}
      changeOf={(typed) => typed}
    >
      {(form, mark) => (
        <>
          <SelectField
            form={form}
            name="currency"
            label={t('administration.currency')}
            help={mark('currency', t('administration.currency_help'))}
            options={currencyCodes.map((code) => ({ value: code, label: code }))}
          />
          <SuggestField
            form={form}
            name="timeZone"
            label={t('administration.time_zone')}
            help={mark('timeZone', t('administration.time_zone_help'))}
            suggestions={suggestedZones}
            required
          />
        </>
      )}
    </SettingsForm>
  );
}

function SellerSettings({ settings }: SectionProps) {
  const { t } = useTranslation('administration');
  const section = useSectionTitles();
  return (
    <SettingsForm {...section('seller')} {...sellerSection} values={sellerSection.valuesOf(settings)}>
      {(form, mark) => (
        <>
          <TextField
            form={form}
            name="sellerName"
            label={t('administration.seller_name')}
            help={mark('sellerName', t('administration.seller_name_help'))}
            autoComplete="organization"
          />
          <TextField
            form={form}
            name="sellerTaxId"
            label={t('administration.seller_tax_id')}
            help={mark('sellerTaxId')}
            inputMode="numeric"
          />
          <TextField
            form={form}
            name="sellerAddress"
            label={t('administration.seller_address')}
            help={mark('sellerAddress')}
            autoComplete="street-address"
          />
          <TextField
            form={form}
            name="sellerEmail"
            label={t('administration.seller_email')}
            help={mark('sellerEmail')}
            inputMode="email"
          />
        </>
      )}
    </SettingsForm>
  );
}

function QuotaSettings({ settings }: SectionProps) {
  const { t } = useTranslation('administration');
  const section = useSectionTitles();
  return (
    <SettingsForm {...section('quotas')} {...quotaSection} values={quotaSection.valuesOf(settings)}>
      {(form, mark) => (
        <>
          <TextField
            form={form}
            name="quotaWarningPercent"
            label={t('administration.quota_warning')}
            help={mark('quotaWarningPercent', t('administration.quota_warning_help'))}
            inputMode="numeric"
            end="%"
            required
          />
          <TextField
            form={form}
            name="quotaCriticalPercent"
            label={t('administration.quota_critical')}
            help={mark('quotaCriticalPercent', t('administration.quota_critical_help'))}
            inputMode="numeric"
            end="%"
            required
          />
        </>
      )}
    </SettingsForm>
  );
}

function MeteringSettings({ settings }: SectionProps) {
  const { t } = useTranslation('administration');
  const section = useSectionTitles();
  return (
    <SettingsForm {...section('metering')} {...meteringSection} values={meteringSection.valuesOf(settings)}>
      {(form, mark) => (
        <>
          <TextField
            form={form}
            name="eventRetentionMonths"
            label={t('administration.event_retention')}
            help={mark('eventRetentionMonths', t('administration.event_retention_help'))}
            inputMode="numeric"
            end={t('administration.unit_months')}
            required
          />
          <TextField
            form={form}
            name="rejectedEventDays"
            label={t('administration.rejected_days')}
            help={mark('rejectedEventDays', t('administration.rejected_days_help'))}
            inputMode="numeric"
            end={t('administration.unit_days')}
            required
          />
          <CheckField
            form={form}
            name="archiveEvents"
            as="switch"
            label={t('administration.archive_events')}
            help={mark('archiveEvents', t('administration.archive_events_help'))}
          />
          <CheckField
            form={form}
            name="forgetEventIds"
            as="switch"
            label={t('administration.forget_event_ids')}
            help={mark('forgetEventIds', t('administration.forget_event_ids_help'))}
          />
        </>
      )}
    </SettingsForm>
  );
}

function WebhookSettings({ settings }: SectionProps) {
  const { t } = useTranslation('administration');
  const section = useSectionTitles();
  return (
    <SettingsForm {...section('webhooks')} {...webhookSection} values={webhookSection.valuesOf(settings)}>
      {(form, mark) => (
        <TextField
          form={form}
          name="webhookOffDays"
          label={t('administration.webhook_off_days')}
          help={mark('webhookOffDays', t('administration.webhook_off_days_help'))}
          inputMode="numeric"
          end={t('administration.unit_days')}
          required
        />
      )}
    </SettingsForm>
  );
}

function SecuritySettings({ settings }: SectionProps) {
  const { t } = useTranslation('administration');
  const section = useSectionTitles();
  return (
    <SettingsForm {...section('security')} {...securitySection} values={securitySection.valuesOf(settings)}>
      {(form, mark) => (
        <>
          <TextField
            form={form}
            name="minimumPasswordLength"
            label={t('administration.minimum_password')}
            help={mark('minimumPasswordLength', t('administration.minimum_password_help'))}
            inputMode="numeric"
            end={t('administration.unit_characters')}
            required
          />
          <SelectField
            form={form}
            name="providerDefaultRole"
            label={t('administration.provider_role')}
            help={mark('providerDefaultRole', t('administration.provider_role_help'))}
            options={providerRoles.map((role) => ({
              value: role,
              label: t(`administration.provider_role_${role}`),
            }))}
          />
          <CheckField
            form={form}
            name="requireAdminTwoFactor"
            as="switch"
            label={t('administration.require_two_factor')}
            help={t('administration.require_two_factor_help')}
          />
          <CheckField
            form={form}
            name="providerAllowsAdmin"
            as="switch"
            label={t('administration.provider_admin')}
            help={t('administration.provider_admin_help')}
          />
        </>
      )}
    </SettingsForm>
  );
}

/** When bills are due and months are closed, and which tax applies. */
function BillingSettings({ settings }: SectionProps) {
  const { t } = useTranslation('administration');
  const section = useSectionTitles();
  return (
    <SettingsForm {...section('billing')} {...billingSection} values={billingSection.valuesOf(settings)}>
      {(form, mark) => (
        <>
          <TextField
            form={form}
            name="taxRate"
            label={t('administration.tax_rate')}
            help={mark('taxRate', t('administration.tax_rate_help'))}
            inputMode="decimal"
            required
          />
          <TextField
            form={form}
            name="dueDays"
            label={t('administration.due_days')}
            help={mark('dueDays', t('administration.due_days_help'))}
            inputMode="numeric"
            end={t('administration.unit_days')}
            required
          />
          <TextField
            form={form}
            name="graceHours"
            label={t('administration.grace_hours')}
            help={mark('graceHours', t('administration.grace_hours_help'))}
            inputMode="numeric"
            end={t('administration.unit_hours')}
            required
          />
          <TextField
            form={form}
            name="packKeepDays"
            label={t('administration.pack_keep_days')}
            help={mark('packKeepDays', t('administration.pack_keep_days_help'))}
            inputMode="numeric"
            end={t('administration.unit_days')}
            required
          />
        </>
      )}
    </SettingsForm>
  );
}

/** Fixed limits, shown so that Admins do not look for a setting. */
function Limits() {
  const { t } = useTranslation('administration');
  return (
    <Section title={t('administration.section_limits')} lead={t('administration.section_limits_lead')}>
      <Facts
        items={[
          [t('administration.limit_session'), t('administration.days', { count: sessionDays })],
          [t('administration.limit_token'), t('administration.minutes', { count: accessTokenMinutes })],
          [t('administration.limit_timeout'), t('administration.seconds', { count: timeoutMs / 1000 })],
        ]}
      />
    </Section>
  );
}
