// Sends one text message immediately and shows the result, with the gateway's error if it was rejected.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import * as z from 'zod/mini';
import { e164 } from '../rules.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { smsApi } from './api.ts';

const Draft = z.strictObject({
  to: z.string().check(
    z.trim(),
    z.refine((typed) => e164(typed) !== undefined, 'sms.number_wrong'),
  ),
});

export function SmsTest() {
  const { t } = useTranslation('sms');
  const form = useZodForm(Draft, { to: '' });
  const send = useCall(smsApi.testSms);
  const [result, setResult] = useState<string>();
  const submit = async ({ to }: { to: string }) => {
    setResult(undefined);
    const { ms, reference, to: number } = await send.mutateAsync({ to });
    setResult(t(reference === '' ? 'sms.test_taken' : 'sms.test_taken_as', { to: number, ms, reference }));
  };
  return (
    <Box>
      <Typography variant="h3" sx={{ marginBottom: 1.5 }}>
        {t('sms.test')}
      </Typography>
      <Form form={form} onSubmit={submit} label={t('sms.test')}>
        <Box sx={{ display: 'flex', gap: 1.5, alignItems: 'flex-start', flexWrap: 'wrap' }}>
          <Box sx={{ flex: '1 1 220px', maxWidth: 340 }}>
            <TextField
              form={form}
              name="to"
              label={t('sms.test_to')}
              help={t('sms.test_help')}
              inputMode="tel"
              autoComplete="tel"
              required
            />
          </Box>
          <SubmitButton form={form} variant="outlined" sx={{ marginTop: '6px' }}>
            {t('sms.test_send')}
          </SubmitButton>
        </Box>
        {result !== undefined && (
          <Alert severity="success" role="status">
            {result}
          </Alert>
        )}
      </Form>
    </Box>
  );
}
