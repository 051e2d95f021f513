// Deferred revenue, by the month in which it is recognized; below the trial balance.
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useQuery } from '@tanstack/react-query';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { ProofText } from '#platform/web/ui/ProofText.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import type { DeferredRevenue as OfCurrency } from '../contract.ts';
import { booksApi, booksQueries } from './api.ts';
import { Files } from './Files.tsx';

export function DeferredRevenue() {
  const { t } = useTranslation('books');
  const { language } = useFormat();
  const query = useQuery(booksQueries.deferredRevenue({}));
  return (
    <Section
      title={t('books.deferred_title')}
      lead={t('books.deferred_lead')}
      actions={
        query.data?.items.some(({ months }) => months.length > 0) && (
          <Files
            name={t('books.deferred_title')}
            call={(format, options) => booksApi.exportDeferredRevenue({ format, language }, options)}
          />
        )
      }
      flush
    >
      <QueryState query={query} skeleton={<Lines count={4} padded />}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState compact title={t('books.deferred_empty')} hint={t('books.deferred_empty_hint')} />
          ) : (
            <>
              <Months items={items} />
              {items.map((one) => (
                <Adds key={one.currency} of={one} />
              ))}
            </>
          )
        }
      </QueryState>
    </Section>
  );
}

/** The proof that the deferred amounts, line by line, equal the ledger's balance. */
function Adds({ of: { total, ledger } }: { of: OfCurrency }) {
  const { t } = useTranslation('books');
  const format = useFormat();
  const isRight = total.minor === ledger.minor;
  return (
    <ProofText isRight={isRight}>
      {t(isRight ? 'books.deferred_proof_right' : 'books.deferred_proof_wrong', {
        here: format.money(total),
        ledger: format.money(ledger),
      })}
    </ProofText>
  );
}

const edges = {
  '& tr > :first-of-type': { paddingInlineStart: { xs: '16px', sm: '24px' } },
  '& tr > :last-child': { paddingInlineEnd: { xs: '16px', sm: '24px' } },
  '& tbody:last-of-type tr:last-of-type > *': { borderBottom: 0 },
} as const;
const summed = { '& > *': { borderTop: '1px solid', borderTopColor: 'text.secondary' } } as const;

function Months({ items }: { items: readonly OfCurrency[] }) {
  const { t } = useTranslation('books');
  const format = useFormat();
  const row = (label: string, amount: OfCurrency['total'], strong = false) => (
    <TableRow sx={strong ? { ...summed, '& > *': { ...summed['& > *'], fontWeight: 700 } } : summed}>
      <TableCell component="th" scope="row" sx={{ fontWeight: 400 }}>
        {label}
      </TableCell>
      <TableCell align="right">
        <Money amount={amount} strong={strong} />
      </TableCell>
    </TableRow>
  );
  return (
    <TableContainer tabIndex={0} role="region" aria-label={t('books.deferred_title')} sx={edges}>
      <Table size="small" aria-label={t('books.deferred_title')}>
        <TableHead>
          <TableRow>
            <TableCell>{t('books.deferred_month')}</TableCell>
            <TableCell align="right" sx={{ width: { sm: 220 } }}>
              {t('books.deferred_amount')}
            </TableCell>
          </TableRow>
        </TableHead>
        {items.map(({ currency, months, fees, credit, total }) => (
          <TableBody key={currency}>
            {items.length > 1 && (
              <TableRow>
                <TableCell
                  component="th"
                  scope="rowgroup"
                  colSpan={2}
                  sx={{ fontWeight: 700, paddingBlockStart: '16px', color: 'text.secondary' }}
                >
                  {currency}
                </TableCell>
              </TableRow>
            )}
            {months.map(({ month, amount }) => (
              <TableRow key={month}>
                <TableCell component="th" scope="row" sx={{ fontWeight: 400 }}>
                  {format.month(month)}
                </TableCell>
                <TableCell align="right">
                  <Money amount={amount} />
                </TableCell>
              </TableRow>
            ))}
            {row(t('books.deferred_fees'), fees)}
            {row(t('books.deferred_credit'), credit)}
            {row(t('books.deferred_total'), total, true)}
          </TableBody>
        ))}
      </Table>
    </TableContainer>
  );
}
