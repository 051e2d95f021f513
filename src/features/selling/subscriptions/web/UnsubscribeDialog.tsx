// R-CAT-04: ends a subscription, at the end of the paid period or immediately, and lists what is lost.
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Subscription } from '../contract.ts';
import { RadioBox } from '#platform/web/form/RadioBox.tsx';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { subscriptionsApi, subscriptionsQueries } from './api.ts';
import { BillsAfter } from './BillsAfter.tsx';
import { changesSubscriptions, useResume } from './subscription-actions.tsx';
import { lastDay } from './subscription-words.tsx';
import { useFeePreview } from './use-fee-preview.ts';

export type AskProps = { readonly subscription: Subscription; readonly onClose: () => void };

export function UnsubscribeDialog({ subscription, onClose }: AskProps) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const isCancelling = subscription.state === 'cancelling';
  const isScheduled = subscription.state === 'scheduled';
  const [timing, setTiming] = useState<'now' | 'end'>(isCancelling || isScheduled ? 'now' : 'end');
  const [reason, setReason] = useState('');
  const params = { service: subscription.service.name };
  const resume = useResume();
  const undo = {
    label: t('subscriptions.undo'),
    onClick: () => resume.mutate({ subscriptionId: subscription.id }),
  };
  const cancel = useCall(subscriptionsApi.cancel, {
    invalidates: changesSubscriptions,
    onSuccess: ({ state }) =>
      state === 'cancelling'
        ? toast.success(t('subscriptions.unsubscribed', params), undo)
        : toast.success(t(isScheduled ? 'subscriptions.called_off' : 'subscriptions.ended', params)),
  });
  const confirm = async () => {
    try {
      await cancel.mutateAsync({
        subscriptionId: subscription.id,
        when: timing,
        version: subscription.version,
        ...(reason.trim() !== '' && { reason }),
      });
    } catch (error) {
      // The dialog shows the message that R-CAT-04 requires.
      throw new Error(t('subscriptions.unsubscribe_failed'), { cause: error });
    }
  };
  const preview = useFeePreview(
    subscriptionsQueries.previewCancel({ subscriptionId: subscription.id, when: timing }),
    { enabled: !isScheduled },
  );
  const words = isScheduled
    ? ({ ask: 'subscriptions.call_off_ask', confirm: 'subscriptions.call_off' } as const)
    : isCancelling
      ? ({ ask: 'subscriptions.end_now_ask', confirm: 'subscriptions.end_now' } as const)
      : ({ ask: 'subscriptions.unsubscribe_ask', confirm: 'subscriptions.unsubscribe_confirm' } as const);
  const isYearly = subscription.service.billingCycle === 'yearly';
  return (
    <ConfirmDialog
      open
      tone="danger"
      proof="tick"
      title={t(words.ask, params)}
      consequences={
        isScheduled
          ? [t('subscriptions.call_off_nothing'), t('subscriptions.call_off_again')]
          : [
              t('subscriptions.unsubscribe_lost'),
              t('subscriptions.unsubscribe_history'),
              t('subscriptions.unsubscribe_again'),
            ]
      }
      confirmLabel={t(words.confirm)}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Stack sx={{ gap: 2 }}>
        {!isCancelling && !isScheduled && subscription.termEndsAt && (
          <EndChoice
            value={timing}
            onChange={setTiming}
            end={format.date(lastDay(subscription.termEndsAt))}
          />
        )}
        {!isScheduled && (
          <Typography variant="body2">
            <NoWrap
              text={
                timing === 'end' && subscription.termEndsAt
                  ? t('subscriptions.unsubscribe_ends', {
                      date: format.date(lastDay(subscription.termEndsAt)),
                    })
                  : t(isYearly ? 'subscriptions.unsubscribe_now_year' : 'subscriptions.unsubscribe_now_month')
              }
            />
          </Typography>
        )}
        {!isScheduled && <BillsAfter preview={preview} service={subscription.service} isEnding />}
        <TextBox
          name="reason"
          label={t('subscriptions.reason')}
          value={reason}
          onChange={(text) => setReason(text.slice(0, 300))}
          rows={2}
          autoComplete="off"
        />
      </Stack>
    </ConfirmDialog>
  );
}

function EndChoice({
  value,
  onChange,
  end,
}: {
  value: 'now' | 'end';
  onChange: (timing: 'now' | 'end') => void;
  end: string;
}) {
  const { t } = useTranslation('subscriptions');
  return (
    <RadioBox
      label={t('subscriptions.unsubscribe_when')}
      value={value}
      options={[
        { value: 'end', label: <NoWrap text={t('subscriptions.unsubscribe_at_end', { date: end })} /> },
        { value: 'now', label: t('subscriptions.unsubscribe_at_once') },
      ]}
      onChange={onChange}
    />
  );
}
