// The SMS gateway in the system settings: its URL, its secret (which is never shown again), and a test.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Divider from '@mui/material/Divider';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { text } from '#kernel/shape.ts';
import { smsPresets, SmsGateway, type SmsSettings as Settings } from '../contract.ts';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { Form } from '#platform/web/form/Form.tsx';
import { PasswordField } from '#platform/web/form/PasswordField.tsx';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { UnsavedBar } from '#platform/web/form/UnsavedBar.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { smsApi, smsKey, smsQueries } from './api.ts';
import { SmsTest } from './SmsTest.tsx';

export function SmsSettings() {
  const { t } = useTranslation('sms');
  // Not refetched on focus, because the answer could overwrite the Admin's input.
  const query = useQuery({ ...smsQueries.getSmsSettings(), refetchOnWindowFocus: false });
  return (
    <Section title={t('sms.title')} lead={t('sms.lead')}>
      <QueryState query={query} skeleton={<Block height={240} />}>
        {(settings) => (
          <Box sx={{ display: 'grid', gap: 3 }}>
            {settings.source === 'environment' ? (
              <EnvironmentSettings settings={settings} />
            ) : (
              <GatewayForm settings={settings} />
            )}
            {settings.source !== 'off' && (
              <>
                <Divider />
                <SmsTest />
              </>
            )}
          </Box>
        )}
      </QueryState>
    </Section>
  );
}

function EnvironmentSettings({ settings }: { settings: Settings }) {
  const { t } = useTranslation('sms');
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Alert severity="info">{t('sms.from_environment')}</Alert>
      <Facts
        items={[
          [t('sms.url'), settings.gateway.url],
          [t('sms.token'), settings.hasToken ? t('sms.token_kept') : t('sms.token_none')],
        ]}
      />
    </Box>
  );
}

const Draft = z.strictObject({
  isOn: z.boolean(),
  ...SmsGateway.shape,
  url: text(500),
  token: z.string().check(z.maxLength(500)),
});
type Typed = z.input<typeof Draft>;
const twilioAddress = 'https://api.twilio.com';
const draftOf = ({ isOn, gateway }: Settings): Typed => ({ isOn, ...gateway, token: '' });

function GatewayForm({ settings }: { settings: Settings }) {
  const { t } = useTranslation('sms');
  const form = useZodForm(Draft, draftOf(settings));
  const save = useCall(smsApi.saveSmsSettings, { invalidates: [smsKey(), ['notifications']] });
  const submit = async ({ token, ...typed }: z.output<typeof Draft>) => {
    // An empty field keeps the stored token, which is never shown.
    form.reset(draftOf(await save.mutateAsync({ ...typed, ...(token === '' ? {} : { token }) })));
    toast.success(t('sms.saved'));
  };
  const isTwilio = form.watch('preset') === 'twilio';
  // used as: 'sms.preset_*'
  const presets = smsPresets.map((value) => ({ value, label: t(`sms.preset_${value}`) }));
  return (
    <Form form={form} onSubmit={submit} label={t('sms.title')}>
      <CheckField form={form} name="isOn" as="switch" label={t('sms.is_on')} />
      <Box sx={pairs}>
        <SelectField
          form={form}
          name="preset"
          label={t('sms.preset')}
          options={presets}
          help={isTwilio ? t('sms.preset_twilio_help') : t('sms.preset_generic_help')}
        />
        <TextField
          form={form}
          name="url"
          label={t('sms.url')}
          help={isTwilio ? t('sms.url_twilio_help', { url: twilioAddress }) : t('sms.url_help')}
          required
        />
        {isTwilio && (
          <TextField
            form={form}
            name="account"
            label={t('sms.account')}
            help={t('sms.account_help')}
            required
          />
        )}
        <PasswordField
          form={form}
          name="token"
          label={t('sms.token')}
          help={settings.hasToken ? t('sms.token_kept_help') : t('sms.token_help')}
          autoComplete="new-password"
        />
        <TextField
          form={form}
          name="from"
          label={t('sms.from')}
          help={isTwilio ? t('sms.from_twilio_help') : t('sms.from_help')}
          required={isTwilio}
        />
        {!isTwilio && (
          <>
            <TextField form={form} name="toField" label={t('sms.to_field')} required />
            <TextField form={form} name="textField" label={t('sms.text_field')} required />
            <TextField form={form} name="fromField" label={t('sms.from_field')} required />
          </>
        )}
      </Box>
      <UnsavedBar form={form} />
    </Form>
  );
}
