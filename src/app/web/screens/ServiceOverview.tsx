// The services on sale, with estimates based on the customer's own months.
import { PromoCode } from '#features/invoicing/discounts/web/parts.ts';
import { OwnMonths } from '#features/invoicing/planning/web/parts.ts';
import { SubscriptionCharges } from '#features/metering/usage/web/parts.ts';
import { ServiceOverviewScreen } from '#features/selling/subscriptions/web/parts.ts';

export function ServiceOverview() {
  return (
    <ServiceOverviewScreen ownMonths={OwnMonths} OwnCharges={SubscriptionCharges} PromoCode={PromoCode} />
  );
}
