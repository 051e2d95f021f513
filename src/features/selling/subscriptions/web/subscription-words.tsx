// Texts about a subscription used in several places: its fee, the end of its term, and planned changes.
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { decimal, isZero } from '#kernel/decimal.ts';
import { roundToMoney } from '#kernel/money.ts';
import type { Subscription } from '../contract.ts';
import { useNow } from '#platform/web/time/clock.ts';
import type { Format } from '#platform/web/format/format.ts';
import { useTranslation, type Translate } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { Moment } from '#platform/web/ui/Money.tsx';

/**
 * The last day before something ends: a month that ends at the start of the first of the next month has its
 * own last day as the end.
 */
export const lastDay = (end: Date): Date => new Date(end.getTime() - 1);
/** Whether it was canceled before it started. */
export const isCalledOff = ({ startedAt, endsAt }: Pick<Subscription, 'startedAt' | 'endsAt'>): boolean =>
  endsAt !== null && endsAt <= startedAt;
/** Whether it has ended. */
export const isOver = ({ state }: Pick<Subscription, 'state'>): boolean =>
  state === 'canceled' || state === 'expired';

/** The fixed fee of a term, or that only usage is charged. */
export function Fee({ subscription: { service, fee, quantity } }: { subscription: Subscription }) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  if (isZero(decimal(fee)))
    return (
      <Typography variant="body2" component="span">
        {t('subscriptions.by_usage')}
      </Typography>
    );
  const { pricing } = service;
  if (pricing.model === 'rate_card') {
    // Charges with other cycles are converted to months: a rounded figure for orientation.
    const amount = format.money(roundToMoney(decimal(fee), pricing.currency));
    const isMonthly = pricing.charges.every(
      ({ kind, cycle = 'month' }) => kind !== 'recurring' || cycle === 'month',
    );
    return (
      <Typography variant="body2" component="span" className="tabular" sx={{ fontWeight: 700 }}>
        {t(isMonthly ? 'subscriptions.price_monthly' : 'subscriptions.price_average', { amount })}
      </Typography>
    );
  }
  const amount = format.unitPrice(fee, pricing.currency);
  return (
    <Stack component="span">
      <Typography
        variant="body2"
        component="span"
        className="tabular"
        sx={{ fontWeight: 700, whiteSpace: 'nowrap' }}
      >
        {t(service.billingCycle === 'yearly' ? 'subscriptions.price_yearly' : 'subscriptions.price_monthly', {
          amount,
        })}
      </Typography>
      {quantity !== '1' && (
        <Typography variant="caption" component="span" color="textSecondary" className="tabular">
          {t('subscriptions.fee_of_units', {
            units: format.number(quantity),
            price: format.unitPrice(pricing.baseFee ?? '0', pricing.currency),
          })}
        </Typography>
      )}
    </Stack>
  );
}

/** When a yearly term is renewed or ends; for monthly terms, when usage is reset to zero. */
export function NextTerm({
  subscription,
  besideSentence = false,
}: {
  subscription: Subscription;
  /** Below a sentence with a day, days are written as in it: `Dec 1, 2026`, not `2026-12-01`. */
  besideSentence?: boolean;
}) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const { service, termEndsAt, endsAt, nextReset, state } = subscription;
  if (isOver(subscription)) return <>–</>;
  if (state === 'scheduled')
    return <>{t('subscriptions.begins_on', { date: format.date(subscription.startedAt) })}</>;
  const ends =
    endsAt && (state === 'cancelling' || !subscription.autoRenew)
      ? t('subscriptions.ends_on', { date: format.date(lastDay(endsAt)) })
      : undefined;
  const renews =
    service.billingCycle === 'yearly' && termEndsAt
      ? t('subscriptions.renews_on', { date: format.date(termEndsAt) })
      : undefined;
  return (
    <Stack component="span">
      <span>{besideSentence ? format.date(nextReset) : <Moment at={nextReset} />}</span>
      {(ends ?? renews) !== undefined && (
        <Typography variant="caption" component="span" color="textSecondary">
          {ends ?? renews}
        </Typography>
      )}
    </Stack>
  );
}

/** The planned plan, with its quantity if quantities are shown. */
export function pendingName(
  { pending, quantity }: Pick<Subscription, 'pending' | 'quantity'>,
  format: Format,
): string {
  if (!pending) return '';
  return pending.quantity === '1' && quantity === '1'
    ? pending.service.name
    : `${pending.service.name} × ${format.number(pending.quantity)}`;
}

/** One short sentence for each planned or temporary change. */
export function usePlanned(): (subscription: Subscription) => readonly string[] {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const now = useNow();
  return (subscription) => plannedOf(subscription, t, format, now);
}

function plannedOf(
  subscription: Subscription,
  t: Translate<'subscriptions'>,
  format: Format,
  now: Date,
): readonly string[] {
  const { pending, pause, trialEndsAt, state } = subscription;
  return [
    ...(trialEndsAt && trialEndsAt > now && state !== 'canceled'
      ? [t('subscriptions.trial_until', { date: format.date(lastDay(trialEndsAt)) })]
      : []),
    ...(pending
      ? [
          t('subscriptions.pending_short', {
            date: format.date(pending.at),
            service: pendingName(subscription, format),
          }),
        ]
      : []),
    ...(pause && pause.from > now
      ? [t('subscriptions.pause_planned', { date: format.date(pause.from) })]
      : []),
    ...(pause?.until && pause.from <= now
      ? [t('subscriptions.resume_planned', { date: format.date(pause.until) })]
      : []),
  ];
}
