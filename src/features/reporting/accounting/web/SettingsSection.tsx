// Further settings for the files of accounting programs, besides the accounts.
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { optionalText, text } from '#kernel/shape.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import type { AccountingSettings } from '../contract.ts';
import { accountingApi, accountingKey, accountingQueries } from './api.ts';

export function SettingsSection() {
  const { t } = useTranslation('accounting');
  // Not refetched on focus, because the answer could overwrite the Admin's input.
  const query = useQuery({ ...accountingQueries.getAccountingSettings(), refetchOnWindowFocus: false });
  return (
    <Section title={t('accounting.settings')} lead={t('accounting.settings_lead')}>
      <QueryState query={query} skeleton={<Lines count={3} />}>
        {(settings) => <SettingsForm key={JSON.stringify(settings)} settings={settings} />}
      </QueryState>
    </Section>
  );
}

const shape = z.strictObject({
  xeroTaxRate: text(50),
  xeroTracking: optionalText(50),
  voucherType: optionalText(4),
});

function SettingsForm({ settings }: { settings: AccountingSettings }) {
  const { t } = useTranslation('accounting');
  const form = useZodForm(shape, settings);
  const save = useCall(accountingApi.saveAccountingSettings, {
    invalidates: [accountingKey('getAccountingSettings')],
    onSuccess: () => toast.success(t('accounting.settings_saved')),
  });
  return (
    <Box sx={{ maxWidth: 480 }}>
      <Form
        form={form}
        label={t('accounting.settings')}
        onSubmit={async (typed) => {
          await save.mutateAsync(typed);
        }}
      >
        <TextField
          form={form}
          name="xeroTaxRate"
          label={t('accounting.xero_tax_rate')}
          help={t('accounting.xero_tax_rate_help')}
          autoComplete="off"
          required
        />
        <TextField
          form={form}
          name="xeroTracking"
          label={t('accounting.xero_tracking')}
          help={t('accounting.xero_tracking_help')}
          autoComplete="off"
        />
        <TextField
          form={form}
          name="voucherType"
          label={t('accounting.voucher_type')}
          help={t('accounting.voucher_type_help')}
          autoComplete="off"
        />
        <Box>
          <SubmitButton form={form}>{t('accounting.save')}</SubmitButton>
        </Box>
      </Form>
    </Box>
  );
}
