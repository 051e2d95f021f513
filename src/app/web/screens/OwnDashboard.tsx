// A customer's services and what needs attention, unpaid bills first.
import { DailyUsageChart } from '#features/metering/usage/web/parts.ts';
import { CreditBanner, useCreditAhead } from '#features/receivables/credit-limits/web/parts.ts';
import { DunningBanner, useDunningAhead } from '#features/receivables/dunning/web/parts.ts';
import { UserDashboard } from '../dashboards/UserDashboard.tsx';

export function OwnDashboard() {
  useDunningAhead();
  useCreditAhead();
  return (
    <UserDashboard
      notice={(otherwise) => <DunningBanner otherwise={<CreditBanner otherwise={otherwise} />} />}
      Daily={DailyUsageChart}
    />
  );
}
