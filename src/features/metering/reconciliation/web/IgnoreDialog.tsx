// Leaves a finding out, for a reason.
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import * as z from 'zod/mini';
import { text } from '#kernel/shape.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { DialogButtons } from '#platform/web/ui/DialogButtons.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
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
    <Modal open width="xs" title={title} onClose={form.formState.isSubmitting ? undefined : onClose}>
      <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 2 }}>
        {t('reconciliation.ignore_lead')}
      </Typography>
      <Form form={form} onSubmit={submit} label={title}>
        <TextField form={form} name="reason" label={t('reconciliation.reason')} rows={2} required autoFocus />
        <DialogButtons>
          <Button onClick={onClose} disabled={form.formState.isSubmitting}>
            {t('ui.cancel')}
          </Button>
          <SubmitButton form={form} size="medium">
            {t('reconciliation.ignore')}
          </SubmitButton>
        </DialogButtons>
      </Form>
    </Modal>
  );
}
