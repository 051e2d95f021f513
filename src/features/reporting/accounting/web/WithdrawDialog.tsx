// Withdraws an export, with a reason.
import Typography from '@mui/material/Typography';
import * as z from 'zod/mini';
import { text } from '#kernel/shape.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { JournalExport } from '../contract.ts';
import { accountingApi, accountingKey } from './api.ts';
import { usePeriodName } from './names.ts';

const shape = z.strictObject({ reason: text(200) });

export function WithdrawDialog({ journal, onClose }: { journal: JournalExport; onClose: () => void }) {
  const { t } = useTranslation('accounting');
  const periodName = usePeriodName();
  const form = useZodForm(shape, { reason: '' });
  const withdraw = useCall(accountingApi.withdrawJournal, {
    invalidates: [accountingKey()],
    onSuccess: () => toast.success(t('accounting.withdrawn_done')),
  });
  const title = t('accounting.withdraw_title', { period: periodName(journal.period) });
  return (
    <FormDialog
      form={form}
      title={title}
      confirm={t('accounting.withdraw')}
      width="sm"
      lead={
        <>
          <Typography variant="body2">
            {t('accounting.withdraw_free', { count: journal.transactions })}
          </Typography>
          <Typography variant="body2">{t('accounting.withdraw_kept')}</Typography>
        </>
      }
      onSubmit={async ({ reason }) => {
        await withdraw.mutateAsync({ exportId: journal.id, reason });
      }}
      onClose={onClose}
    >
      <TextField form={form} name="reason" label={t('accounting.reason')} autoComplete="off" required />
    </FormDialog>
  );
}
