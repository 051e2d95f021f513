// A customer's bills: the chosen month or the current one, its lines, and all bills so far (R-BILL-02).
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isMonth, type BillingMonth } from '#kernel/shape.ts';
import type { Id } from '#kernel/ids.ts';
import type { Bill, BillDetail, CoveredBill as CoveredBillSummary } from '../contract.ts';
import type { ConsolidatedBill } from '../contract-consolidated.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { goToPageStart } from './page-start.ts';
import { usePrintInLight } from './print.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { billingKey, billingQueries } from './api.ts';
import { chooseMonth, monthsToChoose, yearsOf } from './bill-months.ts';
import { BillRecords } from './BillRecords.tsx';
import { ConsolidatedCard } from './ConsolidatedCard.tsx';
import { CoveredBill } from './CoveredBill.tsx';
import { IssuedBill, type IssuedBillProps } from './IssuedBill.tsx';
import { RunningMonth, type RunningMonthProps } from './RunningMonth.tsx';

/** The maximum page size of the API: more than sixteen years of months. */
const monthsKnown = 200;

export type BillsScreenProps = {
  /** The button that pays a bill; payments belong to another feature. */
  readonly pay?: (bill: Bill) => ReactNode;
  /** Shown above everything: an urgent notice, or else the given fallback. */
  readonly notice?: (fallback: ReactNode) => ReactNode;
  /** Shown beside the bill: the balance. */
  readonly balance?: ReactNode;
  /** The list of payments, in a tab beside the list of bills. */
  readonly payments?: ReactNode;
  /** The list of credit notes, in another tab. */
  readonly creditNotes?: ReactNode;
  /** The list of statutory e-invoices, in another tab. */
  readonly einvoices?: ReactNode;
  /** The statement of account, in another tab. */
  readonly statement?: ReactNode;
  /** The month packs, in another tab. */
  readonly packs?: ReactNode;
  /**
   * What happened to a bill after it was issued, over the whole width; renders nothing if nothing happened.
   */
  readonly history?: (bill: BillDetail) => ReactNode;
  /** Who pays for the organization; shown above its bills. */
  readonly payers?: ReactNode;
  /** For whom the organization pays; shown below the bill. */
  readonly paysFor?: ReactNode;
  /** Additional files of a bill. */
  readonly files?: (bill: BillDetail) => ReactNode;
  /** The button that pays a consolidated bill. */
  readonly payConsolidated?: (bill: ConsolidatedBill) => ReactNode;
};

/**
 * Starts the requests together with the one for the organization's seller, after which the screen is
 * rendered.
 */
export function useBillsAhead(): void {
  useKnownBills();
  useConsolidatedBills();
  useQuery(billingQueries.currentBill());
}

export function BillsScreen({
  pay,
  notice = (fallback) => fallback,
  balance,
  payments,
  creditNotes,
  einvoices,
  statement,
  packs,
  history,
  payers,
  paysFor,
  files,
  payConsolidated,
}: BillsScreenProps) {
  const { t } = useTranslation('billing');
  const [monthParam, setMonth] = useParam('month');
  const wanted = isMonth(monthParam) ? monthParam : undefined;
  const here = monthNow(useBrand((brand) => brand.timeZone));
  const known = useKnownBills();
  const covered = useQuery(billingQueries.listCoveredBills({ limit: monthsKnown, sort: '-month' }));
  const coveredBills = covered.data?.items ?? [];
  const consolidated = useConsolidatedBills();
  const current = useQuery(billingQueries.currentBill());
  // The organization's time zone determines the current month; the installation's zone is used until it is
  // loaded.
  const running = current.data?.month ?? here;
  useLive('bills', [billingKey()]);
  useLive('usage', [billingKey('currentBill'), billingKey('explainCurrentLine')]);
  usePrintInLight();
  const aside = balance !== undefined && balance !== null && (
    <Box data-screen-only sx={{ display: 'grid', minWidth: 0 }}>
      {balance}
    </Box>
  );
  const open = (month: BillingMonth) => {
    setMonth(month);
    goToPageStart();
  };
  return (
    <Page
      title={t('billing.my_title')}
      actions={
        <MonthChoice
          wanted={wanted}
          running={running}
          bills={[...(known.data?.items ?? []), ...coveredBills]}
          onChoose={setMonth}
        />
      }
    >
      <Box
        sx={{
          display: 'grid',
          gap: { xs: 2, sm: 3 },
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 8fr) minmax(0, 4fr)' },
          '& > .whole': { gridColumn: '1 / -1' },
          '@media print': { gridTemplateColumns: 'minmax(0, 1fr)' },
        }}
      >
        {payers !== undefined && (
          <Box
            className="whole"
            sx={{ display: 'grid', gap: 2, minWidth: 0, '&:empty': { display: 'none' } }}
          >
            {payers}
          </Box>
        )}
        <QueryState
          query={known}
          skeleton={
            <Section>
              <Block height={236} />
            </Section>
          }
        >
          {({ items }) => (
            <MonthBills
              wanted={wanted}
              running={running}
              items={items}
              covered={coveredBills}
              consolidated={consolidated.data?.items ?? []}
              payConsolidated={payConsolidated}
              current={current}
              notice={notice}
              pay={pay}
              history={history}
              files={files}
              aside={aside}
              onOpen={open}
              onRunning={() => setMonth(undefined)}
            />
          )}
        </QueryState>
        {paysFor !== undefined && (
          <Box className="whole" sx={{ minWidth: 0, '&:empty': { display: 'none' } }}>
            {paysFor}
          </Box>
        )}
      </Box>
      <BillRecords
        years={yearsOf(known.data?.items ?? [])}
        payments={payments}
        creditNotes={creditNotes}
        einvoices={einvoices}
        statement={statement}
        packs={packs}
        hasCovered={coveredBills.length > 0}
        onOpen={open}
      />
    </Page>
  );
}

type MonthBillsProps = Required<Pick<BillsScreenProps, 'notice'>> &
  Pick<IssuedBillProps, 'pay' | 'history' | 'files' | 'aside'> &
  Pick<RunningMonthProps, 'onOpen'> & {
    readonly wanted: BillingMonth | undefined;
    readonly running: BillingMonth;
    readonly items: readonly Bill[];
    /** Bills that others pay, for services that the organization used. */
    readonly covered: readonly CoveredBillSummary[];
    /** Consolidated bills that list bills of the organization. */
    readonly consolidated: readonly ConsolidatedBill[];
    readonly payConsolidated: BillsScreenProps['payConsolidated'];
    readonly current: RunningMonthProps['query'];
    readonly onRunning: () => void;
  };

/** What exists for the chosen month: the current month, bills, bills that others pay, or nothing. */
function MonthBills({
  wanted,
  running,
  items,
  covered,
  consolidated,
  payConsolidated,
  current,
  notice,
  pay,
  history,
  files,
  aside,
  onOpen,
  onRunning,
}: MonthBillsProps) {
  const chosen = chooseMonth(wanted, running, items);
  // A month may have both, if another organization began to pay within it.
  const ofMonth = covered.filter(
    ({ month, kind }) =>
      month === (chosen.kind === 'running' ? running : chosen.month) &&
      (chosen.kind !== 'running' || kind !== 'month'),
  );
  // The balance is beside the first item of the page.
  const others = ofMonth.map(({ id }, index) => (
    <CoveredBill key={id} billId={id} aside={chosen.kind === 'none' && index === 0 && aside} />
  ));
  if (chosen.kind === 'running')
    return (
      <>
        <RunningMonth
          query={current}
          openBills={items.filter((bill) => bill.state === 'open')}
          hasBills={items.length > 0}
          notice={notice}
          onOpen={onOpen}
          aside={aside}
        />
        {chosen.bills.map((bill) => (
          <IssuedBill key={bill.id} billId={bill.id} pay={pay} history={history} files={files} aside={null} />
        ))}
        {others}
      </>
    );
  const above = (
    <Box className="whole" sx={{ minWidth: 0, '&:empty': { display: 'none' } }}>
      {notice(null)}
    </Box>
  );
  if (chosen.kind === 'none')
    return (
      <>
        {above}
        {others.length > 0 ? (
          others
        ) : (
          <>
            <NoBill month={chosen.month} onRunning={onRunning} />
            {aside}
          </>
        )}
      </>
    );
  const section = (billId: Id<'bil'>, beside: ReactNode) => (
    <IssuedBill key={billId} billId={billId} pay={pay} history={history} files={files} aside={beside} />
  );
  const together = consolidated.filter(({ month }) => month === chosen.month);
  return (
    <>
      {above}
      {together.map((bill, index) => (
        <ConsolidatedCard
          key={bill.id}
          bill={bill}
          pay={payConsolidated}
          section={(billId) => section(billId, null)}
          aside={index === 0 && aside}
        />
      ))}
      {chosen.bills
        .filter((bill) => bill.consolidatedId === undefined)
        .map((bill, index) => section(bill.id, together.length === 0 && index === 0 && aside))}
      {others}
    </>
  );
}

const useConsolidatedBills = () =>
  useQuery(billingQueries.listConsolidatedBills({ limit: monthsKnown, sort: '-month' }));

/**
 * The existing bills, newest first. For most organizations, the first page of the list below has all of them.
 */
function useKnownBills() {
  const first = useQuery(billingQueries.listBills({ limit: 25, sort: '-month' }));
  const isMore = typeof first.data?.nextCursor === 'string';
  const all = useQuery({
    ...billingQueries.listBills({ limit: monthsKnown, sort: '-month' }),
    enabled: isMore,
  });
  return isMore ? all : first;
}

function MonthChoice({
  wanted,
  running,
  bills,
  onChoose,
}: {
  wanted: BillingMonth | undefined;
  running: BillingMonth;
  bills: readonly Pick<Bill, 'month' | 'kind'>[];
  onChoose: (month: string | undefined) => void;
}) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const months = monthsToChoose(wanted, running, bills);
  const isBilled = months.includes(running);
  const options = [
    ...(isBilled ? [] : [{ value: '', label: t('billing.month_running', { month: format.month(running) }) }]),
    ...months.map((month) => ({ value: month as string, label: format.month(month) })),
  ];
  return (
    <SelectBox
      label={t('billing.month')}
      value={wanted === undefined || (wanted === running && !isBilled) ? '' : wanted}
      options={options}
      onChange={(month) => onChoose(month === '' ? undefined : month)}
    />
  );
}

function NoBill({ month, onRunning }: { month: BillingMonth; onRunning: () => void }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  return (
    <Section>
      <EmptyState
        title={t('billing.no_bill', { month: format.month(month) })}
        hint={t('billing.no_bill_hint')}
        action={
          <Button variant="outlined" onClick={onRunning}>
            {t('billing.show_running')}
          </Button>
        }
      />
    </Section>
  );
}
