// Renews a subscription: for one more term, or automatically from now on.
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useState } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { subscriptionsApi } from './api.ts';
import { changesSubscriptions } from './subscription-actions.tsx';
import { lastDay } from './subscription-words.tsx';
import type { AskProps } from './UnsubscribeDialog.tsx';

export function RenewDialog({ subscription, onClose }: AskProps) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const [autoRenew, setAutoRenew] = useState(false);
  const { id, service, state, endsAt } = subscription;
  const renew = useCall(subscriptionsApi.renew, {
    invalidates: changesSubscriptions,
    onSuccess: ({ endsAt: end }) =>
      toast.success(
        end
          ? t('subscriptions.renewed_until', { service: service.name, date: format.date(lastDay(end)) })
          : t('subscriptions.renewed_always', { service: service.name }),
      ),
  });
  return (
    <ConfirmDialog
      open
      title={t('subscriptions.renew_ask', { service: service.name })}
      confirmLabel={t('subscriptions.renew_confirm')}
      onConfirm={() =>
        renew.mutateAsync({
          subscriptionId: id,
          ...(endsAt && { termEndsAt: endsAt }),
          ...(autoRenew && { autoRenew }),
        })
      }
      onClose={onClose}
    >
      <NoWrap
        text={
          state === 'expired' || !endsAt
            ? t('subscriptions.renew_anew')
            : t('subscriptions.renew_after', { date: format.date(lastDay(endsAt)) })
        }
      />
      <FormControlLabel
        control={<Checkbox checked={autoRenew} onChange={(_, isOn) => setAutoRenew(isOn)} />}
        label={t('subscriptions.renew_always')}
      />
    </ConfirmDialog>
  );
}
