// The current month as it would be billed now: no number, nothing due, updated with every event.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { BillingMonth } from '#kernel/shape.ts';
import { dueNext, type Bill, type CurrentBill } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Block, QueryState, type QueryStateProps } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { billingQueries } from './api.ts';
import { BesideBalance } from './BesideBalance.tsx';
import { BillHero } from './BillHero.tsx';
import { BillLines } from './BillLines.tsx';
import { LinePanel } from './LinePanel.tsx';
import { PaidByOthers } from './PaidByOthers.tsx';

export type RunningMonthProps = {
  readonly query: QueryStateProps<CurrentBill>['query'];
  /** Open bills, mentioned in a sentence above. */
  readonly openBills: readonly Bill[];
  readonly hasBills: boolean;
  /**
   * Urgent notices; receives the sentence about open bills as a fallback to show if nothing is more urgent.
   */
  readonly notice: (fallback: ReactNode) => ReactNode;
  readonly onOpen: (month: BillingMonth) => void;
  readonly aside: ReactNode;
};

export function RunningMonth({ query, openBills, hasBills, notice, onOpen, aside }: RunningMonthProps) {
  return (
    <>
      <Box className="whole" sx={{ minWidth: 0, '&:empty': { display: 'none' } }}>
        {notice(<OpenBills bills={openBills} onOpen={onOpen} />)}
      </Box>
      <QueryState
        query={query}
        skeleton={
          <>
            <Section>
              <Block height={200} />
            </Section>
            {aside}
          </>
        }
      >
        {(current) => (
          <>
            {current.bills.length === 0 ? (
              <>
                <Nothing current={current} hasBills={hasBills} />
                {aside}
              </>
            ) : (
              current.bills.map((bill, index) => (
                <Running
                  key={bill.currency}
                  current={current}
                  bill={bill}
                  isFirst={index === 0}
                  aside={index === 0 && aside}
                />
              ))
            )}
            <PaidByOthers parts={current.paidByOthers} />
          </>
        )}
      </QueryState>
    </>
  );
}

function OpenBills({ bills, onOpen }: { bills: readonly Bill[]; onOpen: (month: BillingMonth) => void }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const [first] = bills.toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime());
  if (!first) return null;
  const isOverdue = first.paymentStatus === 'overdue';
  return (
    <Alert
      severity={isOverdue ? 'error' : 'warning'}
      data-screen-only
      action={
        <Button color="inherit" size="small" onClick={() => onOpen(first.month)}>
          {t('billing.open_bill')}
        </Button>
      }
    >
      <NoWrap
        text={format.sentences(
          t(isOverdue ? 'billing.bill_overdue' : 'billing.bill_waits', {
            number: first.number,
            amount: format.money(dueNext(first)),
            date: first.instalment ? format.day(first.instalment.on) : format.date(first.dueAt),
          }),
          bills.length > 1 && t('billing.bills_more', { count: format.number(bills.length - 1) }),
        )}
      />
    </Alert>
  );
}

function Running({
  current,
  bill,
  isFirst,
  aside,
}: {
  current: CurrentBill;
  bill: CurrentBill['bills'][number];
  /** Only the first of several currencies says when the month ends. */
  isFirst: boolean;
  aside: ReactNode;
}) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  // A month may have one bill per currency.
  const named = (text: string): string => (current.bills.length > 1 ? `${text} ${bill.currency}` : text);
  // The currency of the bill, and the line, since the current month has no number yet.
  const [lineOfBill, setLine] = useParam('line');
  const [currency, lineId] = lineOfBill?.split('.') ?? [];
  return (
    <BesideBalance
      aside={aside}
      head={
        <BillHero
          title={named(format.month(current.month))}
          badge={<StatusBadge tone="primary" label={t('billing.running')} />}
          subtitle={
            isFirst && (
              <Typography variant="body2" component="p" color="textSecondary">
                <NoWrap
                  text={t('billing.running_note', {
                    time: format.dateTime(current.asOf),
                    end: format.date(current.periodEnd),
                  })}
                />
              </Typography>
            )
          }
          bill={bill}
        />
      }
    >
      <Section
        title={named(t('billing.lines_so_far'))}
        lead={<span data-screen-only>{t('billing.lines_lead')}</span>}
      >
        <BillLines
          bill={bill}
          label={named(t('billing.lines'))}
          onExplain={(line) => setLine(`${bill.currency}.${line.id}`)}
        />
        <LinePanel
          bill={bill}
          lineId={currency === bill.currency ? lineId : undefined}
          query={(lineOf) => billingQueries.explainCurrentLine({ currency: bill.currency, lineId: lineOf })}
          linksUsage
          onClose={() => setLine(undefined)}
        />
      </Section>
    </BesideBalance>
  );
}

/** Shown if this month has no usage or fees; a new customer also sees when the first bill will come. */
function Nothing({ current, hasBills }: { current: CurrentBill; hasBills: boolean }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  return (
    <Section>
      <EmptyState
        title={t('billing.nothing_yet', { month: format.month(current.month) })}
        hint={t(hasBills ? 'billing.nothing_yet_hint' : 'billing.first_bill_hint', {
          date: format.date(current.periodEnd),
        })}
      />
    </Section>
  );
}
