// The Admin's billing screen: closing months, results of past closes, and the bills of all organizations.
import { useQuery } from '@tanstack/react-query';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { isMonth, type BillingMonth } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { PageViews } from '#platform/web/ui/PageViews.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useParam } from '#platform/web/routing/use-param.ts';
import type { BillDetail } from '../contract.ts';
import { AdminConsolidated } from './AdminConsolidated.tsx';
import { AdminBills } from './AdminBills.tsx';
import { billingKey, billingQueries } from './api.ts';
import { BillPanel } from './BillPanel.tsx';
import { CloseMonth } from './CloseMonth.tsx';
import { ClosePreview } from './ClosePreview.tsx';
import { CloseRuns } from './CloseRuns.tsx';
import { InterimThresholds } from './InterimThresholds.tsx';

/** The polling interval while a close runs, in case a live update gets lost. */
const progressMs = 2000;

export type AdminBillingScreenProps = {
  /** The comparison of a month's bills with imported data, provided by another feature. */
  readonly reconciliation?: (month: BillingMonth) => ReactNode;
  /** Actions on a bill and its history, provided by another feature. */
  readonly corrections?: (bill: BillDetail) => ReactNode;
  /** The month pack for the accountant, provided by another feature. */
  readonly packs?: (month: BillingMonth) => ReactNode;
  /** Which organizations pay for others. */
  readonly payers?: ReactNode;
  /** The credit notes of all organizations. */
  readonly creditNotes?: (onBill: (billId: string) => void) => ReactNode;
};

export function AdminBillingScreen({
  reconciliation,
  corrections,
  packs,
  payers,
  creditNotes,
}: AdminBillingScreenProps) {
  const { t } = useTranslation('billing');
  const [chosen, setMonth] = useParam('month');
  const [billId, setBillId] = useParam('bill');
  const [wanted, setView] = useParam('view');
  const view: View = isView(wanted) ? wanted : 'bills';
  const latest = addMonths(monthNow(useBrand((brand) => brand.timeZone)), -1);
  const month = isMonth(chosen) ? chosen : latest;
  const runs = useQuery({
    ...billingQueries.listCloseRuns(),
    refetchInterval: (query) =>
      query.state.data?.items.some((run) => run.state === 'running') ? progressMs : false,
  });
  useLive('billing', [
    billingKey('listCloseRuns'),
    billingKey('adminListBills'),
    billingKey('adminListConsolidatedBills'),
    billingKey('adminGetConsolidatedBill'),
    billingKey('getPreview'),
    billingKey('listInterimThresholds'),
  ]);
  return (
    <Page title={t('billing.admin_title')} lead={t('billing.admin_lead')}>
      <Box
        sx={{
          display: 'grid',
          gap: { xs: 2, sm: 3 },
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 5fr) minmax(0, 7fr)' },
        }}
      >
        <Section title={t('billing.close_title')} lead={t('billing.close_lead')}>
          <CloseMonth
            month={month}
            latest={latest}
            onMonth={(next) => setMonth(next, { replace: true })}
            runs={runs.data?.items ?? []}
          />
        </Section>
        <Section title={t('billing.runs_title')} flush>
          <CloseRuns query={runs} />
        </Section>
      </Box>
      <ClosePreview month={month} />
      {packs?.(month)}
      {reconciliation ? (
        <PageViews
          label={t('billing.views')}
          views={[
            ['bills', t('billing.all_bills')],
            ['consolidated', t('billing.consolidated_tab')],
            ['credit-notes', t('billing.credit_notes')],
            ['interim', t('billing.interim_tab')],
            ['payers', t('billing.payers')],
            ['reconciliation', t('billing.reconciliation')],
          ]}
          open={view}
          onOpen={(next) => setView(next === 'bills' ? undefined : next)}
        >
          {view === 'bills' ? (
            <AdminBills onOpen={setBillId} />
          ) : view === 'credit-notes' ? (
            creditNotes?.(setBillId)
          ) : view === 'consolidated' ? (
            <AdminConsolidated onOpen={setBillId} />
          ) : view === 'interim' ? (
            <InterimThresholds />
          ) : view === 'payers' ? (
            payers
          ) : (
            reconciliation(month)
          )}
        </PageViews>
      ) : (
        <AdminBills onOpen={setBillId} />
      )}
      <BillPanel billId={billId} onClose={() => setBillId(undefined)} corrections={corrections} />
    </Page>
  );
}

const views = ['bills', 'consolidated', 'credit-notes', 'interim', 'payers', 'reconciliation'] as const;
type View = (typeof views)[number];
const isView = (value: string | undefined): value is View => views.some((view) => view === value);
