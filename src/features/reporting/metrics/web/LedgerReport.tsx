// A report over selected days whose total matches the ledger: the filters, its table, the proof, and a link
// to the ledger.
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import type { AccountKind } from '#features/invoicing/ledger/rules.ts';
import type { Currency } from '#kernel/money.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { PlainTable, type PlainRow } from '#platform/web/ui/PlainTable.tsx';
import { Lines, QueryState, type QueryStateProps } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import type { Proof } from '../contract.ts';
import { LedgerLink } from './LedgerLink.tsx';
import { ProofLine } from './ProofLine.tsx';
import { ReportFiles } from './ReportFiles.tsx';
import type { usePeriod } from './use-period.tsx';

export type LedgerReportProps<Item> = {
  /** The report to export, and whose proof is shown. */
  readonly report: 'revenue' | 'taxes' | 'receipts';
  readonly title: string;
  readonly lead: string;
  readonly currency: Currency;
  readonly days: ReturnType<typeof usePeriod>;
  /** Further filters, next to the days. */
  readonly choices?: ReactNode;
  readonly query: QueryStateProps<{ readonly items: readonly Item[]; readonly proof: Proof }>['query'];
  readonly empty: { readonly title: string; readonly hint: string };
  readonly heads: readonly string[];
  /** How many of the first columns are texts. */
  readonly words?: number;
  readonly row: (item: Item) => PlainRow;
  readonly account: AccountKind;
};

const proofs = { revenue: 'recognized', taxes: 'taxes', receipts: 'receipts' } as const;

export function LedgerReport<Item>(props: LedgerReportProps<Item>) {
  const { report, title, lead, currency, days, choices, query, empty, heads, words, row, account } = props;
  const { t } = useTranslation('metrics');
  return (
    <Section
      title={title}
      lead={lead}
      actions={<ReportFiles report={report} currency={currency} {...days.period} />}
      flush
    >
      <Stack
        direction="row"
        sx={{ gap: 1, flexWrap: 'wrap', padding: { xs: '4px 16px 16px', sm: '4px 24px 16px' } }}
      >
        {days.choice}
        {choices}
      </Stack>
      <QueryState query={query} skeleton={<Lines count={4} padded />}>
        {({ items, proof }) => (
          <>
            {items.length === 0 ? (
              <EmptyState compact title={empty.title} hint={empty.hint} />
            ) : (
              <PlainTable
                label={title}
                words={words}
                heads={heads}
                rows={items.map(row)}
                total={{
                  key: 'total',
                  cells: [
                    t('metrics.total'),
                    ...heads.slice(2).map(() => ''),
                    <Money key="total" amount={proof.here} strong />,
                  ],
                }}
              />
            )}
            <ProofLine proof={proof} about={proofs[report]} />
            <LedgerLink account={account} {...days.period} />
          </>
        )}
      </QueryState>
    </Section>
  );
}
