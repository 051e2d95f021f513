// A bill that another organization pays, shown to the organization that used the services: the cost line by
// line, without anything about its payment.
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Id } from '#kernel/ids.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { CoveredBillDetail } from '../contract.ts';
import { billingApi, billingQueries } from './api.ts';
import { BesideBalance } from './BesideBalance.tsx';
import { BillFiles } from './BillFiles.tsx';
import { BillHero } from './BillHero.tsx';
import { billTitleKeys } from './bill-titles.ts';
import { ExplainedLines } from './ExplainedLines.tsx';

type CoveredBillProps = {
  readonly billId: Id<'bil'>;
  /** Shown beside its head. */
  readonly aside: ReactNode;
};

export function CoveredBill({ billId, aside }: CoveredBillProps) {
  return (
    <QueryState
      query={useQuery(billingQueries.getCoveredBill({ billId }))}
      skeleton={
        <Section>
          <Block height={236} />
        </Section>
      }
    >
      {(bill) => <Content bill={bill} aside={aside} />}
    </QueryState>
  );
}

function Content({ bill, aside }: { bill: CoveredBillDetail; aside: ReactNode }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  return (
    <BesideBalance
      aside={aside}
      head={
        <BillHero
          id={bill.number}
          title={t(billTitleKeys[bill.kind], { month: format.month(bill.month) })}
          badge={
            bill.isVoid ? (
              <StatusBadge tone="neutral" label={t('billing.status_void')} />
            ) : (
              <StatusBadge tone="info" label={t('billing.paid_by', { payer: bill.payer })} />
            )
          }
          subtitle={
            <Typography variant="body2" component="p" color="textSecondary">
              {t('billing.number_is', { number: bill.number })}
            </Typography>
          }
          bill={bill}
          facts={
            <Facts
              items={[
                [t('billing.issued_at'), <Moment key="issued" at={bill.issuedAt} />],
                [t('billing.payer'), bill.payer],
              ]}
            />
          }
          actions={
            <BillFiles
              pdf={(language, options) => billingApi.coveredBillPdf({ billId: bill.id, language }, options)}
            />
          }
        />
      }
    >
      <ExplainedLines
        bill={bill}
        query={(lineOf) => billingQueries.explainCoveredLine({ billId: bill.id, lineId: lineOf })}
        linksUsage
      />
    </BesideBalance>
  );
}
