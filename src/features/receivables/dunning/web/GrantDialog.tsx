// Grants a later date: for one bill, or for all overdue bills of an organization, which lifts its
// restrictions.
import Typography from '@mui/material/Typography';
import * as z from 'zod/mini';
import { day, text } from '#kernel/shape.ts';
import type { Dunned } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { PickerField } from '#platform/web/form/PickerField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { dunningApi, dunningKey } from './api.ts';

/** A date field contains text until it is a valid day. */
const fields = z.strictObject({ until: z.pipe(z.string(), day), reason: text(300) });

export type GrantDialogProps = {
  readonly bill: Pick<Dunned, 'billId' | 'number' | 'organizationId' | 'organization' | 'usedBy'>;
  readonly action: 'extend' | 'resume';
  readonly onClose: () => void;
};

export function GrantDialog({ bill, action, onClose }: GrantDialogProps) {
  const { t } = useTranslation('dunning');
  const form = useZodForm(fields, { until: '', reason: '' });
  const extend = useCall(dunningApi.extendBill, {
    invalidates: [dunningKey()],
    onSuccess: () => toast.success(t('dunning.extended_done')),
  });
  const resume = useCall(dunningApi.resumeOrganization, {
    invalidates: [dunningKey()],
    onSuccess: () => toast.success(t('dunning.resumed_done')),
  });
  const isExtension = action === 'extend';
  // The organization whose services are restricted, regardless of who pays for them.
  const { organizationId, organization } = bill.usedBy ?? bill;
  return (
    <FormDialog
      form={form}
      title={
        isExtension
          ? t('dunning.extend_title', { number: bill.number })
          : t('dunning.resume_title', { organization })
      }
      confirm={t(isExtension ? 'dunning.extend_confirm' : 'dunning.resume')}
      lead={
        <Typography variant="body2">
          {t(isExtension ? 'dunning.extend_text' : 'dunning.resume_text')}
        </Typography>
      }
      onSubmit={(granted) =>
        isExtension
          ? extend.mutateAsync({ billId: bill.billId, ...granted })
          : resume.mutateAsync({ organizationId, ...granted })
      }
      onClose={onClose}
    >
      <PickerField form={form} name="until" type="date" label={t('dunning.until')} required />
      <TextField form={form} name="reason" label={t('dunning.reason')} rows={2} autoComplete="off" required />
    </FormDialog>
  );
}
