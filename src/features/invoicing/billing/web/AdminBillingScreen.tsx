// An Admin's billing: closing months, results of past closes, and the bills of all organizations.
import { useQuery } from '@tanstack/react-query';
import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import { useId, type ReactNode } from 'react';
import { isMonth, type BillingMonth } from '#kernel/shape.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { monthNow, monthsLater } from '#platform/web/time/months.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { ScrollableTabs } from '#platform/web/ui/ScrollableTabs.tsx';
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
  const latest = monthsLater(monthNow(useBrand((brand) => brand.timeZone)), -1);
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
          alignItems: 'start',
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
        <Views view={view} onView={(next) => setView(next === 'bills' ? undefined : next)}>
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
        </Views>
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

/** Six views: bills, consolidated bills, credit notes, from when on interim bills are issued, who pays for others, and the comparison of bills with imported data. */
function Views({
  view,
  onView,
  children,
}: {
  view: View;
  onView: (view: View) => void;
  children: ReactNode;
}) {
  const { t } = useTranslation('billing');
  const id = useId();
  return (
    <Box>
      <ScrollableTabs
        value={view}
        onChange={(_, next: View) => onView(next)}
        aria-label={t('billing.views')}
        sx={{ marginBottom: 2 }}
      >
        <Tab value="bills" label={t('billing.all_bills')} id={`${id}-bills`} aria-controls={`${id}-panel`} />
        <Tab
          value="consolidated"
          label={t('billing.consolidated_tab')}
          id={`${id}-consolidated`}
          aria-controls={`${id}-panel`}
        />
        <Tab
          value="credit-notes"
          label={t('billing.credit_notes')}
          id={`${id}-credit-notes`}
          aria-controls={`${id}-panel`}
        />
        <Tab
          value="interim"
          label={t('billing.interim_tab')}
          id={`${id}-interim`}
          aria-controls={`${id}-panel`}
        />
        <Tab value="payers" label={t('billing.payers')} id={`${id}-payers`} aria-controls={`${id}-panel`} />
        <Tab
          value="reconciliation"
          label={t('billing.reconciliation')}
          id={`${id}-reconciliation`}
          aria-controls={`${id}-panel`}
        />
      </ScrollableTabs>
      <Box role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${view}`}>
        {children}
      </Box>
    </Box>
  );
}
