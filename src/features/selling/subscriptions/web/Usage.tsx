// The usage of a subscription in the current month, compared with its quota if it has one.
import Typography from '@mui/material/Typography';
import type { ComponentType, ReactNode } from 'react';
import type { Id } from '#kernel/ids.ts';
import { countsLimited, limitUnit } from '#features/selling/catalogue/rules.ts';
import type { Subscription } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Quantity } from '#platform/web/ui/Money.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';

/** Components of features that this one may not import; the routes pass them in. */
export type CloudServicesParts = {
  /** The used share of a subscription's quota; `fallback` if it is unknown. */
  readonly Quota: ComponentType<{ readonly subscriptionId: Id<'sub'>; readonly fallback: ReactNode }>;
  /** The usage of a subscription in the current month. */
  readonly Month: ComponentType<{ readonly subscriptionId: Id<'sub'>; readonly serviceId: Id<'svc'> }>;
  /** The charges of this month and of its bills. */
  readonly BillLines?: ComponentType<{ readonly subscriptionId: Id<'sub'> }>;
  /** Whether it is metered, if its service requires prepaid credit; `compact` in lists. */
  readonly Cover?: ComponentType<{ readonly subscriptionId: Id<'sub'>; readonly compact?: boolean }>;
  /** The cost with other plans; `onChoose` opens the change to one. */
  readonly planFit?: (props: {
    readonly subscriptionId: Id<'sub'>;
    readonly onChoose?: (serviceId: Id<'svc'>) => void;
  }) => ReactNode;
};

/** The usage of the current month, compared with the quota if there is one. */
export function Usage({
  subscription,
  Quota,
}: { subscription: Subscription } & Pick<CloudServicesParts, 'Quota'>) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const { id, quota, usage, service } = subscription;
  const { meter } = service;
  // Several charges have no single quantity, and fees have none.
  if (!countsLimited({ meter, quota })) return <>–</>;
  const isOfOwn = quota.type === 'unlimited' || quota.meter === undefined;
  const used = <Quantity isBrief value={usage} unit={meter.unit} />;
  if (quota.type !== 'unlimited')
    return (
      <Quota
        subscriptionId={id}
        fallback={
          <>
            {isOfOwn && used}
            <Typography variant="caption" color="textSecondary" component="p">
              {t('subscriptions.quota_limit', {
                limit: format.quantity(quota.limit, limitUnit({ meter: service.meter, quota })),
              })}
            </Typography>
          </>
        }
      />
    );
  return (
    <>
      {used}
      <Typography variant="caption" color="textSecondary" component="p">
        {t('subscriptions.quota_unlimited')}
      </Typography>
    </>
  );
}
