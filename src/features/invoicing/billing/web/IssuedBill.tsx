// An issued bill: head, files, payment, lines, and the explanation of each line.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Id } from '#kernel/ids.ts';
import type { Bill, BillDetail } from '../contract.ts';
import { useNow } from '#platform/web/time/clock.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { billingApi, billingQueries } from './api.ts';
import { BesideBalance } from './BesideBalance.tsx';
import { BillFiles } from './BillFiles.tsx';
import { BillHero } from './BillHero.tsx';
import { billTitleKeys } from './bill-titles.ts';
import { BillStatus } from './BillStatus.tsx';
import { useCreditedFacts } from './credited-facts.tsx';
import { ExplainedLines } from './ExplainedLines.tsx';

export type IssuedBillProps = {
  readonly billId: Id<'bil'>;
  readonly pay: ((bill: Bill) => ReactNode) | undefined;
  readonly history: ((bill: BillDetail) => ReactNode) | undefined;
  readonly files: ((bill: BillDetail) => ReactNode) | undefined;
  readonly aside: ReactNode;
};

export function IssuedBill({ billId, pay, history, files, aside }: IssuedBillProps) {
  const query = useQuery(billingQueries.getBill({ billId }));
  return (
    <BesideBalance
      aside={aside}
      head={
        <QueryState
          query={query}
          skeleton={
            <Section>
              <Block height={236} />
            </Section>
          }
        >
          {(bill) => <Head bill={bill} pay={pay} files={files} />}
        </QueryState>
      }
    >
      {query.data && history?.(query.data)}
      {query.data ? (
        <ExplainedLines
          bill={query.data}
          query={(lineId) => billingQueries.explainLine({ billId, lineId })}
          // Users of the paying organization may not see the usage of another organization.
          linksUsage={query.data.usedBy === undefined}
        />
      ) : (
        !query.error && (
          <Section>
            <Block height={400} />
          </Section>
        )
      )}
    </BesideBalance>
  );
}

function Head({ bill, pay, files }: { bill: BillDetail } & Pick<IssuedBillProps, 'pay' | 'files'>) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const credited = useCreditedFacts(bill);
  const kind = t(billTitleKeys[bill.kind], { month: format.month(bill.month) });
  return (
    <BillHero
      id={bill.number}
      title={
        bill.usedBy ? t('billing.bill_for', { bill: kind, organization: bill.usedBy.organization }) : kind
      }
      badge={<BillStatus status={bill.paymentStatus} />}
      subtitle={
        <Stack direction="row" sx={{ gap: 0.5, alignItems: 'center', minHeight: 30 }}>
          <Typography variant="body2" component="p" color="textSecondary">
            {t('billing.number_is', { number: bill.number })}
          </Typography>
          <CopyButton text={bill.number} label={t('billing.copy_number')} />
        </Stack>
      }
      bill={bill}
      facts={
        <Facts
          items={[
            ...(bill.usedBy ? [[t('billing.used_by'), bill.usedBy.organization] as const] : []),
            [t('billing.issued_at'), <Moment key="issued" at={bill.issuedAt} />],
            [t('billing.due_at'), <DueDate key="due" bill={bill} />],
            ...(bill.paidAt ? [[t('billing.paid_at'), <Moment key="paid" at={bill.paidAt} />] as const] : []),
            ...((bill.state === 'open' || credited.length > 0) && bill.paid.minor > 0n
              ? [[t('billing.paid'), <Money key="sum" amount={bill.paid} />] as const]
              : []),
            ...credited,
            ...(bill.instalment
              ? [
                  [t('billing.instalment'), <Instalment key="next" instalment={bill.instalment} />] as const,
                  [t('billing.due_in_all'), <Money key="open" amount={bill.due} />] as const,
                ]
              : [[t('billing.due'), <Money key="open" amount={bill.due} strong />] as const]),
            ...(bill.buyer.purchaseOrder
              ? [[t('billing.purchase_order'), bill.buyer.purchaseOrder] as const]
              : []),
            ...(bill.buyer.reference ? [[t('billing.reference'), bill.buyer.reference] as const] : []),
          ]}
        />
      }
      actions={
        <>
          {pay?.(bill)}
          <BillFiles
            pdf={(language, options) => billingApi.billPdf({ billId: bill.id, language }, options)}
            csv={(language, options) => billingApi.billCsv({ billId: bill.id, language }, options)}
          />
          {files?.(bill)}
        </>
      }
    />
  );
}

/** The next payment of a bill that is due in installments, and its due date. */
function Instalment({ instalment }: { instalment: NonNullable<Bill['instalment']> }) {
  const format = useFormat();
  return (
    <Box component="span" sx={{ color: instalment.isMissed ? 'alarm.main' : undefined }}>
      <Money amount={instalment.amount} strong /> · {format.dayTable(instalment.on)}
    </Box>
  );
}

/** The due date, with the number of days until or since it while the bill is unpaid. */
function DueDate({ bill }: { bill: BillDetail }) {
  const format = useFormat();
  const now = useNow();
  if (bill.state !== 'open') return <Moment at={bill.dueAt} />;
  return (
    <Box component="span" sx={{ color: bill.paymentStatus === 'overdue' ? 'alarm.main' : undefined }}>
      <Moment at={bill.dueAt} /> · {format.relative(bill.dueAt, now)}
    </Box>
  );
}
