// Gives an API key a new secret, shown only now; the old one works for the selected time.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { ApiKey } from '../contract.ts';
import { usualOverlapHours } from '../rules.ts';
import { FormPanel } from '#platform/web/form/FormPanel.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useKeyCalls, type KeyOwner, type KeyWithSecret } from './key-calls.ts';
import { KeyHandOver } from './KeyHandOver.tsx';

const overlaps = ['0', '1', '24', '72', '168'] as const;
const usual = overlaps.find((hours) => hours === String(usualOverlapHours)) ?? '24';
const schema = z.strictObject({ overlap: z.enum(overlaps) });
export function KeyRotate({
  owner,
  apiKey,
  onClose,
}: {
  owner: KeyOwner;
  apiKey: ApiKey;
  onClose: () => void;
}) {
  const { t } = useTranslation('identity');
  const format = useFormat();
  const [made, setMade] = useState<KeyWithSecret>();
  const form = useZodForm(schema, { overlap: usual });
  const { rotate } = useKeyCalls(owner);
  const submit = async ({ overlap }: z.output<typeof schema>) =>
    setMade(await rotate.mutateAsync({ keyId: apiKey.id, overlapHours: Number.parseInt(overlap, 10) }));
  if (made) {
    const until = made.key.previousUntil;
    const old = until
      ? t('identity.key_old_until', { until: format.dateTime(until) })
      : t('identity.key_old_ended');
    return (
      <KeyHandOver
        made={made}
        title={t('identity.key_rotated_title')}
        news={[t('identity.key_rotated', { name: apiKey.name }), old]}
        onClose={onClose}
      />
    );
  }
  return (
    <FormPanel
      form={form}
      title={t('identity.key_rotate_title', { name: apiKey.name })}
      submitLabel={t('identity.key_rotate')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 2.5 }}>
        <Typography variant="body2" color="textSecondary">
          {t('identity.key_rotate_lead')}
        </Typography>
        {apiKey.previousUntil && <Alert severity="warning">{t('identity.key_rotate_twice')}</Alert>}
        {/* used as: 'identity.overlap_*' */}
        <SelectField
          form={form}
          name="overlap"
          label={t('identity.key_overlap')}
          options={overlaps.map((hours) => ({ value: hours, label: t(`identity.overlap_${hours}`) }))}
        />
      </Box>
    </FormPanel>
  );
}
