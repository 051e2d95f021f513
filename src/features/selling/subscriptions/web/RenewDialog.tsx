// Renews a subscription: for one more term, or automatically from now on, with the fees that follow.
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ActionDialog } from '#platform/web/ui/ActionDialog.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { subscriptionsApi, subscriptionsQueries } from './api.ts';
import { BillsAfter } from './BillsAfter.tsx';
import { changesSubscriptions } from './subscription-actions.tsx';
import { lastDay } from './subscription-words.tsx';
import type { AskProps } from './UnsubscribeDialog.tsx';
import { useFeePreview } from './use-fee-preview.ts';

export function RenewDialog({ subscription, onClose }: AskProps) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const [autoRenew, setAutoRenew] = useState(false);
  const { id, service, state, endsAt } = subscription;
  const asked = {
    subscriptionId: id,
    ...(endsAt && { termEndsAt: endsAt }),
    ...(autoRenew && { autoRenew }),
  };
  const preview = useFeePreview(subscriptionsQueries.previewRenew(asked));
  const renew = useCall(subscriptionsApi.renew, {
    invalidates: changesSubscriptions,
    onSuccess: ({ endsAt: end }) => {
      toast.success(
        end
          ? t('subscriptions.renewed_until', { service: service.name, date: format.date(lastDay(end)) })
          : t('subscriptions.renewed_always', { service: service.name }),
      );
      onClose();
    },
  });
  return (
    <ActionDialog
      title={t('subscriptions.renew_ask', { service: service.name })}
      confirm={t('subscriptions.renew_confirm')}
      isBusy={renew.isPending}
      disabled={preview.isLoading}
      onConfirm={() => renew.mutate(asked)}
      problem={renew.error?.message}
      onClose={onClose}
    >
      <Typography variant="body2">
        <NoWrap
          text={
            state === 'expired' || !endsAt
              ? t('subscriptions.renew_anew')
              : t('subscriptions.renew_after', { date: format.date(lastDay(endsAt)) })
          }
        />
      </Typography>
      <FormControlLabel
        control={<Checkbox checked={autoRenew} onChange={(_, isOn) => setAutoRenew(isOn)} />}
        label={t('subscriptions.renew_always')}
      />
      <BillsAfter preview={preview} service={service} />
    </ActionDialog>
  );
}
