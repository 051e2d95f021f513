// The customer's subscriptions with data of other features: quota, this month's usage, bill lines, other
// plans.
import { SubscriptionLines } from '#features/invoicing/billing/web/parts.ts';
import { SubscriptionCover, useCoverAhead } from '#features/invoicing/credit-grants/web/parts.ts';
import { PlanFit } from '#features/invoicing/planning/web/parts.ts';
import { SubscriptionQuota, useQuotasAhead } from '#features/metering/quotas/web/parts.ts';
import { CloudServicesScreen } from '#features/selling/subscriptions/web/parts.ts';
import { SubscriptionMonth } from '#features/metering/usage/web/parts.ts';

export function CloudServices() {
  useQuotasAhead();
  useCoverAhead();
  return (
    <CloudServicesScreen
      Quota={SubscriptionQuota}
      Month={SubscriptionMonth}
      BillLines={SubscriptionLines}
      Cover={SubscriptionCover}
      planFit={PlanFit}
    />
  );
}
