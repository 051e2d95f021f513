// The figures of the current month, with daily usage, quotas and budgets.
import { CreditsCard } from '#features/invoicing/credit-grants/web/parts.ts';
import { BudgetStates } from '#features/metering/budgets/web/parts.ts';
import { QuotaStates } from '#features/metering/quotas/web/parts.ts';
import { DailyUsageChart } from '#features/metering/usage/web/parts.ts';
import { CreditBanner, useCreditAhead } from '#features/receivables/credit-limits/web/parts.ts';
import { DunningBanner, useDunningAhead } from '#features/receivables/dunning/web/parts.ts';
import { BillingDashboard } from '../dashboards/BillingDashboard.tsx';

export function OwnBilling() {
  useDunningAhead();
  useCreditAhead();
  return (
    <BillingDashboard
      Daily={DailyUsageChart}
      Quotas={QuotaStates}
      Budgets={BudgetStates}
      Credits={CreditsCard}
      Notice={Notice}
    />
  );
}

const Notice = () => <DunningBanner otherwise={<CreditBanner />} />;
