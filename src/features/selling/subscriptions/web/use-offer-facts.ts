// Details of an offer besides its price: quota, billing, and the first charge.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { countsLimited, limitUnit } from '#features/selling/catalogue/rules.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { addDays, addMonths, firstDayOf, monthOfDay } from '#kernel/time.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { dayNow } from '#platform/web/time/months.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { subscriptionsQueries } from './api.ts';

export type Fact = readonly [label: string, value: ReactNode];

/**
 * The first charged day for a subscription created today, and the earliest day of its bill, which is after
 * the end of that month.
 */
export function firstCharge(today: LocalDay, trialDays: number): { day: LocalDay; bill: LocalDay } {
  const day = addDays(today, trialDays);
  return { day, bill: firstDayOf(addMonths(monthOfDay(day), 1)) };
}

/**
 * The API's maximum page size; for an organization with more subscriptions, the trial is only known from the
 * result.
 */
export const maxListed = 200;

/**
 * The free days for this organization: it gets a trial only if it has never had the service or another plan
 * of its family.
 */
function useTrialDays({ id, family, trialDays }: Service): number {
  const { data } = useQuery(subscriptionsQueries.listSubscriptions({ limit: maxListed }));
  const hadBefore =
    data?.items.some(({ service }) => service.id === id || (family !== '' && service.family === family)) ??
    false;
  return hadBefore ? 0 : trialDays;
}

/** Quota, cycle, trial and first charge of a service, for lists of facts. */
export function useOfferFacts(service: Service): readonly Fact[] {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const zone = useBrand((brand) => brand.timeZone);
  const { quota, billingCycle } = service;
  const trialDays = useTrialDays(service);
  const first = firstCharge(dayNow(zone), trialDays);
  // used as: 'subscriptions.quota_explained_*'
  const limits =
    quota.type === 'unlimited'
      ? t('subscriptions.quota_unlimited')
      : t(`subscriptions.quota_explained_${quota.type}`, {
          limit: format.quantity(quota.limit, limitUnit(service)),
        });
  return [
    ...(countsLimited(service) ? [[t('subscriptions.quota'), limits] as const] : []),
    ...(service.requiresPrepaidCredit
      ? [[t('subscriptions.prepaid'), t('subscriptions.prepaid_explained')] as const]
      : []),
    [
      t('subscriptions.billed'),
      t(billingCycle === 'yearly' ? 'subscriptions.billed_yearly' : 'subscriptions.billed_monthly'),
    ],
    ...(service.releaseState === 'Coming Soon'
      ? []
      : [
          ...(trialDays === 0
            ? []
            : [
                [t('subscriptions.trial_label'), t('subscriptions.trial_free', { days: trialDays })] as const,
              ]),
          [
            t('subscriptions.first_charge'),
            t('subscriptions.first_charge_on', { day: format.day(first.day), bill: format.day(first.bill) }),
          ] as const,
        ]),
  ];
}
