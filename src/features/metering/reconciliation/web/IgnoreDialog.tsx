// Leaves a finding out, for a reason.
import Typography from '@mui/material/Typography';
import * as z from 'zod/mini';
import { text } from '#kernel/shape.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { Finding } from '../contract.ts';
import { reconciliationApi, reconciliationKey } from './api.ts';
import { nameOf } from './finding-words.tsx';

const shape = z.strictObject({ reason: text(300) });

export function IgnoreDialog({
  finding,
  onClose,
  onDone,
}: {
  finding: Finding;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useTranslation('reconciliation');
  const form = useZodForm(shape, { reason: '' });
  const ignore = useCall(reconciliationApi.ignoreFinding, { invalidates: [reconciliationKey()] });
  const name = nameOf(finding);
  const submit = async ({ reason }: z.output<typeof shape>) => {
    await ignore.mutateAsync({ findingId: finding.id, reason });
    toast.success(t('reconciliation.ignored', { name }));
    onDone();
  };
  const title = t('reconciliation.ignore_title', { name });
  return (
    <FormDialog
      form={form}
      title={title}
      confirm={t('reconciliation.ignore')}
      lead={
        <Typography variant="body2" color="textSecondary">
          {t('reconciliation.ignore_lead')}
        </Typography>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField form={form} name="reason" label={t('reconciliation.reason')} rows={2} required autoFocus />
    </FormDialog>
  );
}
