// Marks an event that could not be applied as handled; the note is stored with it.
import Typography from '@mui/material/Typography';
import type { RefusedNotice } from '../contract.ts';
import { ReasonDialog } from '#platform/web/form/ReasonDialog.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { paymentsApi, paymentsKey } from './api.ts';

export function SettleRefused({ refused, onClose }: { refused: RefusedNotice; onClose: () => void }) {
  const { t } = useTranslation('payments');
  const { provider, eventId, organization, amount, reason } = refused;
  const settle = useCall(paymentsApi.settleRefused, {
    invalidates: [paymentsKey()],
    onSuccess: () => toast.success(t('payments.refused_settled_toast')),
  });
  return (
    <ReasonDialog
      title={t('payments.refused_settle_title')}
      confirm={t('payments.refused_settle')}
      lead={
        <>
          <Typography variant="body2" color="textSecondary">
            {t('payments.refused_settle_lead')}
          </Typography>
          <Facts
            items={[
              ...(organization === null ? [] : [[t('payments.organization'), organization] as const]),
              ...(amount
                ? [[t('payments.amount'), <Money key="amount" amount={amount} strong />] as const]
                : []),
              [t('payments.refused_reason'), reason],
              [
                t('payments.refused_event'),
                <Typography key="event" component="span" variant="mono" sx={{ overflowWrap: 'anywhere' }}>
                  {eventId}
                </Typography>,
              ],
            ]}
          />
        </>
      }
      field={{ label: t('payments.refused_note'), help: t('payments.refused_note_help'), max: 500, rows: 3 }}
      onReason={(note) => settle.mutateAsync({ provider, eventId, note })}
      onClose={onClose}
    />
  );
}
