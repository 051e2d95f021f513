// The payment plan of a customer's bill; renders nothing for a bill that is due as a whole.
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import type { Bill } from '#features/invoicing/billing/contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { Section } from '#platform/web/ui/Section.tsx';
import { plansKey, plansQueries } from './api.ts';
import { PlanFacts } from './PlanFacts.tsx';

export function BillPlan({ bill }: { bill: Pick<Bill, 'id' | 'instalment'> }) {
  const { t } = useTranslation('plans');
  useLive('bills', [plansKey('billPlan')]);
  const hasPlan = bill.instalment !== undefined;
  const { data } = useQuery({ ...plansQueries.billPlan({ billId: bill.id }), enabled: hasPlan });
  return hasPlan && data?.plan ? (
    <Box className="whole" sx={{ minWidth: 0 }}>
      <Section title={t('plans.title')}>
        <PlanFacts plan={data.plan} />
      </Section>
    </Box>
  ) : null;
}
