// Pauses a subscription: the start, the end, and the consequences.
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { isDay } from '#kernel/shape.ts';
import { dayPeriod } from '#kernel/time.ts';
import { finished } from '#platform/web/form/problems.ts';
import { useDebounced } from '#platform/web/form/use-debounced.ts';
import { useRequired } from '#platform/web/form/use-required.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ActionDialog } from '#platform/web/ui/ActionDialog.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { subscriptionsApi, subscriptionsQueries } from './api.ts';
import { BillsAfter } from './BillsAfter.tsx';
import { DayChoice } from './DayChoice.tsx';
import { changesSubscriptions, useResume } from './subscription-actions.tsx';
import type { AskProps } from './UnsubscribeDialog.tsx';
import { useFeePreview } from './use-fee-preview.ts';

/** Without a first day it begins now; without a last one it ends when it is resumed. */
const spanOf = (from: string | undefined, until: string | undefined, zone: string) => ({
  ...(isDay(from) && { at: dayPeriod(from, zone).start }),
  ...(isDay(until) && { resumeAt: dayPeriod(until, zone).start }),
});

export function PauseDialog({ subscription, onClose }: AskProps) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const zone = useBrand((brand) => brand.timeZone);
  const [from, setFrom] = useState<string>();
  const [until, setUntil] = useState<string>();
  const hasFrom = useRequired(from === undefined || isDay(from));
  const hasUntil = useRequired(until === undefined || isDay(until));
  const params = { service: subscription.service.name };
  const resume = useResume();
  const undo = {
    label: t('subscriptions.undo'),
    onClick: () => resume.mutate({ subscriptionId: subscription.id }),
  };
  const pause = useCall(subscriptionsApi.stop, {
    invalidates: changesSubscriptions,
    onSuccess: ({ state, pause: planned }) => {
      toast.success(
        state === 'paused' || !planned
          ? t('subscriptions.paused', params)
          : t('subscriptions.pause_planned_for', { ...params, date: format.date(planned.from) }),
        undo,
      );
      onClose();
    },
  });
  const chosen = useDebounced({ from, until });
  const preview = useFeePreview(
    subscriptionsQueries.previewStop({
      subscriptionId: subscription.id,
      ...spanOf(chosen.from, chosen.until, zone),
    }),
  );
  const problemOf = (field: 'at' | 'resumeAt') => {
    const refusal = pause.error ?? preview.error;
    const message =
      refusal instanceof ApiError ? refusal.errors.find((each) => each.field === field)?.message : undefined;
    return message === undefined ? undefined : finished(message);
  };
  const confirm = () =>
    // The last one checked gets the focus.
    [hasUntil.check(), hasFrom.check()].every(Boolean) &&
    pause.mutate({
      subscriptionId: subscription.id,
      version: subscription.version,
      ...spanOf(from, until, zone),
    });
  const hasNamedField = problemOf('at') !== undefined || problemOf('resumeAt') !== undefined;
  return (
    <ActionDialog
      title={t('subscriptions.pause_ask', params)}
      confirm={t('subscriptions.pause_confirm')}
      isBusy={pause.isPending}
      disabled={preview.isLoading}
      onConfirm={confirm}
      problem={hasNamedField ? undefined : pause.error?.message}
      onClose={onClose}
    >
      <DayChoice
        label={t('subscriptions.pause_from')}
        plain={t('subscriptions.pause_now')}
        dated={t('subscriptions.pause_on_day')}
        day={t('subscriptions.pause_day')}
        name="from"
        value={from}
        problem={problemOf('at') ?? hasFrom.problem}
        inputRef={hasFrom.input}
        onChange={setFrom}
      />
      <DayChoice
        label={t('subscriptions.pause_until')}
        plain={t('subscriptions.pause_until_resumed')}
        dated={t('subscriptions.pause_until_day')}
        day={t('subscriptions.resume_day')}
        name="until"
        value={until}
        problem={problemOf('resumeAt') ?? hasUntil.problem}
        inputRef={hasUntil.input}
        onChange={setUntil}
      />
      <BillsAfter preview={preview} service={subscription.service} isEnding />
      <Stack component="ul" sx={{ margin: 0, paddingInlineStart: '20px', gap: 0.5 }}>
        {[
          t('subscriptions.pause_usage'),
          t(
            subscription.service.billingCycle === 'yearly'
              ? 'subscriptions.pause_fee_year'
              : 'subscriptions.pause_fee',
          ),
          t('subscriptions.pause_back'),
        ].map((sentence) => (
          <Typography key={sentence} component="li" variant="body2">
            {sentence}
          </Typography>
        ))}
      </Stack>
    </ActionDialog>
  );
}
