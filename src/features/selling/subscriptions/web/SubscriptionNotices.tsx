// Notices of planned changes and temporary states of a subscription.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import type { Subscription } from '../contract.ts';
import { useNow } from '#platform/web/time/clock.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useMayChange, useResume } from './subscription-actions.tsx';
import { isOver, lastDay, pendingName } from './subscription-words.tsx';

export function SubscriptionNotices({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const now = useNow();
  const mayChange = useMayChange();
  const resume = useResume();
  const { id: subscriptionId, pending, pause, trialEndsAt, endsAt, state, autoRenew } = subscription;
  const notices: { key: string; severity: 'info' | 'warning'; text: string; action?: ReactNode }[] = [];
  if (isOver(subscription)) return null;
  if (state === 'scheduled')
    notices.push({
      key: 'scheduled',
      severity: 'info',
      text: t('subscriptions.scheduled_notice', { date: format.date(subscription.startedAt) }),
    });
  if (trialEndsAt && trialEndsAt > now)
    notices.push({
      key: 'trial',
      severity: 'info',
      text: t('subscriptions.trial_notice', { date: format.date(lastDay(trialEndsAt)) }),
    });
  if (pending) {
    notices.push({
      key: 'pending',
      severity: 'info',
      text: t('subscriptions.pending_notice', {
        date: format.date(pending.at),
        service: pendingName(subscription, format),
      }),
    });
  }
  if (pause && pause.from > now) {
    const text = pause.until
      ? t('subscriptions.pause_notice_until', {
          from: format.dateTime(pause.from),
          until: format.dateTime(pause.until),
        })
      : t('subscriptions.pause_notice', { from: format.dateTime(pause.from) });
    notices.push({
      key: 'pause',
      severity: 'info',
      text,
      action: mayChange && (
        <Button
          color="inherit"
          size="small"
          onClick={() => resume.mutate({ subscriptionId })}
          sx={{ whiteSpace: 'nowrap' }}
        >
          {t('subscriptions.take_back_pause')}
        </Button>
      ),
    });
  }
  if (pause?.until && pause.from <= now)
    notices.push({
      key: 'resume',
      severity: 'info',
      text: t('subscriptions.resume_notice', { until: format.dateTime(pause.until) }),
    });
  if (state === 'cancelling' && endsAt)
    notices.push({
      key: 'ends',
      severity: 'warning',
      text: t('subscriptions.unsubscribe_ends', { date: format.date(lastDay(endsAt)) }),
    });
  else if (endsAt && !autoRenew)
    notices.push({
      key: 'expires',
      severity: 'warning',
      text: t('subscriptions.expires_notice', { date: format.date(lastDay(endsAt)) }),
    });
  if (notices.length === 0) return null;
  return (
    <Stack sx={{ gap: 1 }}>
      {notices.map(({ key, severity, text, action }) => (
        <Alert key={key} severity={severity} action={action}>
          <NoWrap text={text} />
        </Alert>
      ))}
    </Stack>
  );
}
