// The payment plan of a bill for Admins, who agree on it, change it and cancel it here.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import type { PaymentPlan } from '../contract.ts';
import { plansKey, plansQueries } from './api.ts';
import { PlanFacts } from './PlanFacts.tsx';

/** The forms are only loaded when they are opened. */
const PlanDialog = lazyComponent(() =>
  import('./PlanDialog.tsx').then((module) => module.PlanDialog),
).Component;
const CancelPlanDialog = lazyComponent(() =>
  import('./CancelPlanDialog.tsx').then((module) => module.CancelPlanDialog),
).Component;

export function AdminBillPlan({
  bill,
}: {
  bill: Pick<BillDetail, 'id' | 'number' | 'state' | 'due' | 'organizationId' | 'organization' | 'currency'>;
}) {
  const { t } = useTranslation('plans');
  const [open, setOpen] = useState<'form' | 'cancel'>();
  useLive('billing', [plansKey('adminBillPlan')]);
  const { data } = useQuery(plansQueries.adminBillPlan({ billId: bill.id }));
  const isDue = bill.state === 'open' && bill.due.minor > 0n;
  if (!data || (!isDue && data.past.length === 0)) return null;
  const { plan, past } = data;
  const close = () => setOpen(undefined);
  return (
    <PanelPart
      title={t('plans.title')}
      actions={
        <>
          {isDue && (
            <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
              <Button variant="outlined" size="small" aria-haspopup="dialog" onClick={() => setOpen('form')}>
                {t(plan ? 'plans.change' : 'plans.make')}
              </Button>
              {plan && (
                <Button size="small" aria-haspopup="dialog" onClick={() => setOpen('cancel')}>
                  {t('plans.cancel')}
                </Button>
              )}
            </Stack>
          )}
        </>
      }
    >
      {plan && <PlanFacts plan={plan} />}
      {plan && <Agreed plan={plan} />}
      {past.length > 0 && <Past plans={past} />}
      <Suspense fallback={null}>
        {open === 'form' && <PlanDialog bill={bill} plan={plan} onClose={close} />}
        {open === 'cancel' && plan && <CancelPlanDialog planId={plan.id} onClose={close} />}
      </Suspense>
    </PanelPart>
  );
}

function Agreed({ plan }: { plan: PaymentPlan }) {
  const { t } = useTranslation('plans');
  const format = useFormat();
  return (
    <Typography variant="caption" component="p" color="textSecondary">
      {t('plans.agreed', { by: plan.agreedBy, date: format.date(plan.agreedAt) })}
    </Typography>
  );
}

function Past({ plans }: { plans: readonly PaymentPlan[] }) {
  const { t } = useTranslation('plans');
  const format = useFormat();
  return (
    <Box sx={{ marginTop: 1.5 }}>
      <Typography variant="subtitle2" component="h4">
        {t('plans.past')}
      </Typography>
      <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {plans.map((plan) => (
          <Typography key={plan.id} component="li" variant="body2" sx={{ paddingBlock: '4px' }}>
            {[
              format.date(plan.agreedAt),
              format.money(plan.total),
              // used as: 'plans.ending_*'
              ...(plan.ending === null ? [] : [t(`plans.ending_${plan.ending}`)]),
              ...(plan.endReason === '' ? [] : [plan.endReason]),
            ].join(' · ')}
          </Typography>
        ))}
      </Box>
    </Box>
  );
}
