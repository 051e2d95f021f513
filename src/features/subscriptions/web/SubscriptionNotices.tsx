// What is planned for a subscription or lasts for a time, each with the way to take it back.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import type { Subscription } from '#features/subscriptions/contract.ts';
import { useNow } from '#platform/web/clock.ts';
import { useFormat } from '#platform/web/use-format.ts';
import { useMayChange, useResume, useTakeBackChange } from './subscription-actions.tsx';
import { isOver, lastDay } from './subscription-words.tsx';
import { useSubscriptionsTexts } from './texts.ts';

export function SubscriptionNotices({ subscription }: { subscription: Subscription }) {
  const t = useSubscriptionsTexts();
  const format = useFormat();
  const now = useNow();
  const mayChange = useMayChange();
  const takeBack = useTakeBackChange();
  const resume = useResume();
  const { id: subscriptionId, pending, pause, trialEndsAt, endsAt, state, autoRenew } = subscription;
  const undo = (label: string, onClick: () => void): ReactNode => mayChange && <Button color="inherit" size="small" onClick={onClick} sx={{ whiteSpace: 'nowrap' }}>{label}</Button>;
  const notices: { key: string; severity: 'info' | 'warning'; text: string; action?: ReactNode }[] = [];
  if (isOver(subscription)) return null;
  if (trialEndsAt && trialEndsAt > now) notices.push({ key: 'trial', severity: 'info', text: t('subscriptions.trial_notice', { date: format.date(lastDay(trialEndsAt)) }) });
  if (pending) {
    const units = pending.quantity === '1' ? pending.service.name : `${pending.service.name} × ${format.number(pending.quantity)}`;
    notices.push({ key: 'pending', severity: 'info', text: t('subscriptions.pending_notice', { date: format.date(pending.at), service: units }), action: undo(t('subscriptions.take_back_change'), () => takeBack.mutate({ subscriptionId })) });
  }
  if (pause && pause.from > now) {
    const text = pause.until ? t('subscriptions.pause_notice_until', { from: format.dateTime(pause.from), until: format.dateTime(pause.until) }) : t('subscriptions.pause_notice', { from: format.dateTime(pause.from) });
    notices.push({ key: 'pause', severity: 'info', text, action: undo(t('subscriptions.take_back_pause'), () => resume.mutate({ subscriptionId })) });
  }
  if (pause?.until && pause.from <= now) notices.push({ key: 'resume', severity: 'info', text: t('subscriptions.resume_notice', { until: format.dateTime(pause.until) }) });
  if (state === 'cancelling' && endsAt) notices.push({ key: 'ends', severity: 'warning', text: t('subscriptions.unsubscribe_ends', { date: format.date(lastDay(endsAt)) }), action: undo(t('subscriptions.take_back'), () => resume.mutate({ subscriptionId })) });
  else if (endsAt && !autoRenew) notices.push({ key: 'expires', severity: 'warning', text: t('subscriptions.expires_notice', { date: format.date(lastDay(endsAt)) }) });
  if (notices.length === 0) return null;
  return <Stack sx={{ gap: 1 }}>{notices.map(({ key, severity, text, action }) => <Alert key={key} severity={severity} action={action}>{text}</Alert>)}</Stack>;
}
