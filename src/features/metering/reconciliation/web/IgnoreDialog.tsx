// Ignores a finding, with a reason.
import Typography from '@mui/material/Typography';
import { useCall } from '#platform/web/api/queries.ts';
import { ReasonDialog } from '#platform/web/form/ReasonDialog.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { Finding } from '../contract.ts';
import { reconciliationApi, reconciliationKey } from './api.ts';
import { nameOf } from './finding-words.tsx';

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
  const ignore = useCall(reconciliationApi.ignoreFinding, { invalidates: [reconciliationKey()] });
  const name = nameOf(finding);
  const title = t('reconciliation.ignore_title', { name });
  return (
    <ReasonDialog
      title={title}
      confirm={t('reconciliation.ignore')}
      lead={
        <Typography variant="body2" color="textSecondary">
          {t('reconciliation.ignore_lead')}
        </Typography>
      }
      field={{ label: t('reconciliation.reason'), max: 300 }}
      onReason={async (reason) => {
        await ignore.mutateAsync({ findingId: finding.id, reason });
        toast.success(t('reconciliation.ignored', { name }));
        onDone();
      }}
      onClose={onClose}
    />
  );
}
