// Shown before a card is entered at the provider: the exact text that the person agrees to.
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import Box from '@mui/material/Box';
import * as z from 'zod/mini';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { isEmbedded, leaveFor } from '#platform/web/session/embedded.ts';
import { enterableWith } from './enterable-with.ts';
import type { PaymentCards } from '../contract.ts';
import { collectionApi } from './api.ts';

const Adding = z.strictObject({ consents: z.boolean(), provider: z.string() });

/** `onLeft`: the provider's page was opened; if the app is embedded in a frame, this page stays open. */
export function AddCard({ found, onLeft }: { found: PaymentCards; onLeft: () => void }) {
  const { consent } = found;
  const providers = enterableWith(found);
  const { t } = useTranslation('collection');
  const language = useLanguage();
  const form = useZodForm(Adding, { consents: false, provider: providers[0] ?? '' });
  const add = useCall(collectionApi.addCard, {
    onSuccess: ({ url }) => {
      leaveFor(url);
      if (isEmbedded) onLeft();
    },
  });
  return (
    <Form
      form={form}
      onSubmit={({ consents, provider }) =>
        add.mutateAsync({ consents, language, provider: providers.find((each) => each === provider) })
      }
      label={t('collection.add_title')}
    >
      <Stack sx={{ gap: 2, paddingBlock: '6px 12px' }}>
        <Typography variant="body2">{t('collection.add_lead')}</Typography>
        <Box sx={{ padding: 2, borderRadius: 1, border: '1px solid', borderColor: 'divider' }}>
          <Typography variant="body2" color="textSecondary">
            {consent}
          </Typography>
        </Box>
        {providers.length > 1 && (
          <SelectField
            form={form}
            name="provider"
            label={t('collection.with')}
            options={providers.map((each) => ({
              value: each,
              // used as: 'collection.with_*'
              label: t(`collection.with_${each}`),
            }))}
          />
        )}
        <CheckField form={form} name="consents" label={t('collection.consents')} />
        <Box>
          <SubmitButton form={form}>{t('collection.go_on')}</SubmitButton>
        </Box>
      </Stack>
    </Form>
  );
}
