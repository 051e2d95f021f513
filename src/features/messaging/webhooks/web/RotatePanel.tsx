// Gives an endpoint a new secret, shown only now; the old one also signs for the selected time.
import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { Endpoint } from '../contract.ts';
import { usualOverlapHours } from '../rules.ts';
import { FormPanel } from '#platform/web/form/FormPanel.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { webhooksApi, webhooksKey } from './api.ts';
import { SecretHandOver } from './SecretHandOver.tsx';

const overlaps = ['0', '1', '24', '168'] as const;
const usual = overlaps.find((hours) => hours === String(usualOverlapHours)) ?? '24';
const schema = z.strictObject({ overlap: z.enum(overlaps) });
export function RotatePanel({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const { t } = useTranslation('webhooks');
  const format = useFormat();
  const [made, setMade] = useState<{ readonly endpoint: Endpoint; readonly secret: string }>();
  const form = useZodForm(schema, { overlap: usual });
  // The answer contains a secret and is returned only once, so the request is not retried.
  const rotate = useCall(webhooksApi.rotateSecret, { invalidates: [webhooksKey()] });
  const submit = async ({ overlap }: z.output<typeof schema>) =>
    setMade(
      await rotate.mutateAsync({ endpointId: endpoint.id, overlapHours: Number.parseInt(overlap, 10) }),
    );
  if (made) {
    const until = made.endpoint.previousUntil;
    return (
      <SecretHandOver
        secret={made.secret}
        title={t('webhooks.rotated_title')}
        news={[
          t('webhooks.rotated'),
          until ? t('webhooks.old_until', { until: format.dateTime(until) }) : t('webhooks.old_ended'),
        ]}
        onClose={onClose}
      />
    );
  }
  return (
    <FormPanel
      form={form}
      title={t('webhooks.rotate_title')}
      submitLabel={t('webhooks.rotate')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Typography variant="body2" color="textSecondary">
        {t('webhooks.rotate_lead')}
      </Typography>
      {endpoint.previousUntil && <Alert severity="warning">{t('webhooks.rotate_twice')}</Alert>}
      {/* used as: 'webhooks.overlap_*' */}
      <SelectField
        form={form}
        name="overlap"
        label={t('webhooks.overlap')}
        options={overlaps.map((hours) => ({ value: hours, label: t(`webhooks.overlap_${hours}`) }))}
      />
    </FormPanel>
  );
}
