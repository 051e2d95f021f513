// The customer's subscriptions in the portal: everything about bills and prepaid credit is on other pages.
import { PlanFit } from '#features/invoicing/planning/web/parts.ts';
import { SubscriptionQuota, useQuotasAhead } from '#features/metering/quotas/web/parts.ts';
import { SubscriptionMonth } from '#features/metering/usage/web/parts.ts';
import { CloudServicesScreen } from '#features/selling/subscriptions/web/parts.ts';

export function PortalServices() {
  useQuotasAhead();
  return (
    <CloudServicesScreen
      Quota={SubscriptionQuota}
      Month={SubscriptionMonth}
      BillLines={() => null}
      Cover={() => null}
      planFit={PlanFit}
      offersMore={false}
    />
  );
}
