// Withdraws an export, with a reason.
import Typography from '@mui/material/Typography';
import { useCall } from '#platform/web/api/queries.ts';
import { ReasonDialog } from '#platform/web/form/ReasonDialog.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { JournalExport } from '../contract.ts';
import { accountingApi, accountingKey } from './api.ts';
import { usePeriodName } from './names.ts';

export function WithdrawDialog({ journal, onClose }: { journal: JournalExport; onClose: () => void }) {
  const { t } = useTranslation('accounting');
  const periodName = usePeriodName();
  const withdraw = useCall(accountingApi.withdrawJournal, {
    invalidates: [accountingKey()],
    onSuccess: () => toast.success(t('accounting.withdrawn_done')),
  });
  const title = t('accounting.withdraw_title', { period: periodName(journal.period) });
  return (
    <ReasonDialog
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
      field={{ label: t('accounting.reason'), max: 200 }}
      onReason={(reason) => withdraw.mutateAsync({ exportId: journal.id, reason })}
      onClose={onClose}
    />
  );
}
