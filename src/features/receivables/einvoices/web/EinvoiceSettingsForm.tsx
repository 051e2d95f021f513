// How e-invoices are issued: provider and account, timing, and deadlines. Keys are never shown again.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import { eInvoiceProviders, timings, type EinvoiceSettings } from '../contract.ts';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { Form } from '#platform/web/form/Form.tsx';
import { PasswordField } from '#platform/web/form/PasswordField.tsx';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { UnsavedBar } from '#platform/web/form/UnsavedBar.tsx';
import { useZodForm, type FormOf } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { Parts } from '#platform/web/ui/Parts.tsx';
import { einvoicesApi, einvoicesKey } from './api.ts';

const whole = (min: number, max: number) =>
  z.string().check(
    z.trim(),
    z.regex(/^\d{1,3}$/, 'einvoices.whole_wrong'),
    z.refine((typed) => Number(typed) >= min && Number(typed) <= max, 'einvoices.whole_wrong'),
  );
const Draft = z.strictObject({
  provider: z.enum(['none', ...eInvoiceProviders]),
  merchantId: z.string().check(z.trim(), z.maxLength(20)),
  hashKey: z.string().check(z.trim(), z.maxLength(64)),
  hashIv: z.string().check(z.trim(), z.maxLength(64)),
  qrKey: z.string().check(z.trim(), z.maxLength(64)),
  isStage: z.boolean(),
  hasB2b: z.boolean(),
  companies: z.enum(timings),
  consumers: z.enum(timings),
  consumerHours: whole(1, 240),
  companyHours: whole(1, 240),
  warnHours: whole(1, 100),
  lowPercent: whole(1, 90),
});
type Typed = z.input<typeof Draft>;
const draftOf = (settings: EinvoiceSettings): Typed => ({
  provider: settings.provider,
  merchantId: settings.merchantId,
  hashKey: '',
  hashIv: '',
  qrKey: '',
  isStage: settings.isStage,
  hasB2b: settings.hasB2b,
  companies: settings.companies,
  consumers: settings.consumers,
  consumerHours: String(settings.consumerHours),
  companyHours: String(settings.companyHours),
  warnHours: String(settings.warnHours),
  lowPercent: String(settings.lowPercent),
});

const narrowPairs = { ...pairs, maxWidth: 720 } as const;

export function EinvoiceSettingsForm({ settings }: { settings: EinvoiceSettings }) {
  const { t } = useTranslation('einvoices');
  const form = useZodForm(Draft, draftOf(settings));
  const save = useCall(einvoicesApi.saveEinvoiceSettings, { invalidates: [einvoicesKey()] });
  const submit = async ({ hashKey, hashIv, qrKey, ...typed }: z.output<typeof Draft>) => {
    const saved = await save.mutateAsync({
      ...typed,
      consumerHours: Number(typed.consumerHours),
      companyHours: Number(typed.companyHours),
      warnHours: Number(typed.warnHours),
      lowPercent: Number(typed.lowPercent),
      // Empty fields keep the stored keys, which are never shown.
      ...(hashKey !== '' && { hashKey }),
      ...(hashIv !== '' && { hashIv }),
      ...(qrKey !== '' && { qrKey }),
    });
    form.reset(draftOf(saved));
    toast.success(t('einvoices.settings_saved'));
  };
  const provider = form.watch('provider');
  return (
    <Form form={form} onSubmit={submit} label={t('einvoices.view_settings')}>
      <Parts>
        <Section title={t('einvoices.provider')}>
          <Stack sx={{ gap: 2, maxWidth: 720 }}>
            <Account form={form} settings={settings} />
            {provider !== 'none' && <CheckConnection isSaved={!form.formState.isDirty} />}
          </Stack>
        </Section>
        {provider !== 'none' && (
          <>
            <Section title={t('einvoices.when')} lead={t('einvoices.hint_timing')}>
              <Box sx={narrowPairs}>
                <TimingField form={form} name="companies" label={t('einvoices.companies')} />
                <TimingField form={form} name="consumers" label={t('einvoices.consumers')} />
              </Box>
            </Section>
            <Section title={t('einvoices.deadlines')}>
              <Box sx={narrowPairs}>
                <TextField
                  form={form}
                  name="consumerHours"
                  label={t('einvoices.consumer_hours')}
                  inputMode="numeric"
                />
                <TextField
                  form={form}
                  name="companyHours"
                  label={t('einvoices.company_hours')}
                  inputMode="numeric"
                />
                <TextField
                  form={form}
                  name="warnHours"
                  label={t('einvoices.warn_hours')}
                  inputMode="numeric"
                />
                {provider === 'turnkey' && (
                  <TextField
                    form={form}
                    name="lowPercent"
                    label={t('einvoices.low_percent')}
                    inputMode="numeric"
                  />
                )}
              </Box>
            </Section>
            <Section title={t('einvoices.seller')} lead={t('einvoices.settings_seller')}>
              <Facts
                items={[
                  [t('einvoices.company_name'), settings.seller.name],
                  [t('einvoices.tax_id'), settings.seller.taxId || '–'],
                  [t('einvoices.field_address'), settings.seller.address || '–'],
                ]}
              />
            </Section>
          </>
        )}
      </Parts>
      <UnsavedBar form={form} />
    </Form>
  );
}

type Fields = { readonly form: FormOf<Typed, z.output<typeof Draft>> };

function TimingField({ form, name, label }: Fields & { name: 'companies' | 'consumers'; label: string }) {
  const { t } = useTranslation('einvoices');
  // used as: 'einvoices.timing_*'
  return (
    <SelectField
      form={form}
      name={name}
      label={label}
      options={timings.map((value) => ({ value, label: t(`einvoices.timing_${value}`) }))}
    />
  );
}

function Account({ form, settings }: Fields & { settings: EinvoiceSettings }) {
  const { t } = useTranslation('einvoices');
  const provider = form.watch('provider');
  const isService = provider === 'ecpay' || provider === 'ezpay';
  const kept = (is: boolean): { help?: string } => (is ? { help: t('einvoices.keys_stored') } : {});
  // used as: 'einvoices.provider_*'
  return (
    <>
      {settings.seller.taxId === '' && (
        <Alert
          severity="warning"
          action={
            <Button component={Link} to="/admin/system-settings?section=seller" color="inherit" size="small">
              {t('einvoices.to_seller')}
            </Button>
          }
        >
          {t('einvoices.seller_missing')}
        </Alert>
      )}
      <Box sx={narrowPairs}>
        <SelectField
          form={form}
          name="provider"
          label={t('einvoices.provider')}
          options={(['none', ...eInvoiceProviders] as const).map((value) => ({
            value,
            label: t(`einvoices.provider_${value}`),
          }))}
        />
        {isService && <TextField form={form} name="merchantId" label={t('einvoices.merchant_id')} required />}
        {isService && (
          <PasswordField
            form={form}
            name="hashKey"
            label={t('einvoices.hash_key')}
            autoComplete="new-password"
            {...kept(settings.hasKeys)}
          />
        )}
        {isService && (
          <PasswordField
            form={form}
            name="hashIv"
            label={t('einvoices.hash_iv')}
            autoComplete="new-password"
            {...kept(settings.hasKeys)}
          />
        )}
        {provider !== 'none' && (
          <PasswordField
            form={form}
            name="qrKey"
            label={t('einvoices.qr_key')}
            autoComplete="new-password"
            help={settings.hasQrKey ? t('einvoices.keys_stored') : t('einvoices.qr_key_hint')}
          />
        )}
      </Box>
      {provider !== 'none' && (
        <Stack>
          <CheckField form={form} name="isStage" as="switch" label={t('einvoices.is_stage')} />
          {provider === 'ecpay' && (
            <CheckField form={form} name="hasB2b" as="switch" label={t('einvoices.has_b2b')} />
          )}
        </Stack>
      )}
    </>
  );
}

/** Calls the provider with the stored settings. */
function CheckConnection({ isSaved }: { isSaved: boolean }) {
  const { t } = useTranslation('einvoices');
  const check = useCall(einvoicesApi.checkEinvoiceProvider, {
    onError: (error) => toast.error(error.message),
  });
  return (
    <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
      <Button
        variant="outlined"
        loading={check.isPending}
        disabled={!isSaved}
        onClick={() => check.mutate({})}
      >
        {t('einvoices.check')}
      </Button>
      {!isSaved && (
        <Typography variant="body2" color="textSecondary">
          {t('einvoices.check_unsaved')}
        </Typography>
      )}
      {isSaved && check.isSuccess && (
        <Typography variant="body2" role="status">
          {t(required(check.data, 'the answer').isLive ? 'einvoices.check_live' : 'einvoices.check_stage')}
        </Typography>
      )}
    </Stack>
  );
}
