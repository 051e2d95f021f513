// The trial balance: the balance of each kind of account, and proof that debits equal credits in every
// currency.
import CheckCircleOutlined from '~icons/ic/outline-check-circle';
import ErrorOutlineOutlined from '~icons/ic/outline-error-outline';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import type { Out } from '#kernel/contract.ts';
import { sumMoney, type Currency } from '#kernel/money.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import type { books } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { booksQueries } from './api.ts';
import { Day, useDayParam } from '#platform/web/ui/Day.tsx';

type Sums = Out<typeof books.trialBalance>['items'];
const kinds = [
  'cash',
  'receivable',
  'withheld_tax',
  'disputed',
  'balance',
  'deferred_revenue',
  'promotional_credit',
  'tax',
  'revenue',
  'breakage',
  'discounts',
  'promotions',
  'fees',
] as const satisfies readonly Sums[number]['kind'][];

export function TrialBalance() {
  const { t } = useTranslation('books');
  const [asOf, setAsOf] = useDayParam('asOf');
  const query = usePagedQuery(booksQueries.trialBalance(asOf ? { asOf } : {}));
  const choice = (
    <Stack direction="row" sx={{ gap: 1, alignItems: 'center', '& > *:first-of-type': { minWidth: 160 } }}>
      <Day label={t('books.as_of')} value={asOf} onChange={setAsOf} />
      {asOf && (
        <Button size="small" onClick={() => setAsOf(undefined)}>
          {t('books.now')}
        </Button>
      )}
    </Stack>
  );
  return (
    <Section title={t('books.trial_balance')} lead={t('books.trial_balance_lead')} actions={choice} flush>
      <QueryState query={query} skeleton={<Lines count={6} padded />}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState compact title={t('books.empty')} hint={t('books.empty_hint')} />
          ) : (
            <Balance items={items} isBefore={query.isPlaceholderData} />
          )
        }
      </QueryState>
    </Section>
  );
}

const edges = {
  '& tr > :first-of-type': { paddingInlineStart: { xs: '16px', sm: '24px' } },
  '& tr > :last-child': { paddingInlineEnd: { xs: '16px', sm: '24px' } },
} as const;
const total = {
  '& > *': { borderTop: '1px solid', borderTopColor: 'text.secondary', fontWeight: '700 !important' },
} as const;

/** `isBefore`: the sums are of another day, while those of the selected one are loading. */
function Balance({ items, isBefore }: { items: Sums; isBefore: boolean }) {
  const { t } = useTranslation('books');
  const currencies = [...new Set(items.map((item) => item.currency))];
  const sum = (currency: Currency, side: 'debit' | 'credit') =>
    sumMoney(
      items.flatMap((item) => (item.currency === currency && item[side] ? [item[side]] : [])),
      currency,
    );
  const isEven = currencies.every(
    (currency) => sum(currency, 'debit').minor === sum(currency, 'credit').minor,
  );
  return (
    <>
      <TableContainer tabIndex={0} role="region" aria-label={t('books.trial_balance')} sx={edges}>
        <Table
          size="small"
          aria-label={t('books.trial_balance')}
          aria-busy={isBefore}
          sx={{ opacity: isBefore ? 0.6 : 1 }}
        >
          <TableHead>
            <TableRow>
              <TableCell>{t('books.account')}</TableCell>
              <TableCell align="right" sx={{ width: { sm: 220 } }}>
                {t('books.column_debit')}
              </TableCell>
              <TableCell align="right" sx={{ width: { sm: 220 } }}>
                {t('books.column_credit')}
              </TableCell>
            </TableRow>
          </TableHead>
          {currencies.map((currency) => (
            <TableBody key={currency}>
              {currencies.length > 1 && (
                <TableRow>
                  <TableCell
                    component="th"
                    scope="rowgroup"
                    colSpan={3}
                    sx={{ fontWeight: 700, paddingBlockStart: '16px', color: 'text.secondary' }}
                  >
                    {currency}
                  </TableCell>
                </TableRow>
              )}
              {/* used as: 'books.account_*' */}
              {kinds.map((kind) => {
                const found = items.find((item) => item.kind === kind && item.currency === currency);
                // An account that never had an entry in the currency is omitted.
                if (!found) return null;
                return (
                  <TableRow key={kind}>
                    <TableCell component="th" scope="row" sx={{ fontWeight: 400 }}>
                      {t(`books.account_${kind}`)}
                    </TableCell>
                    <TableCell align="right">{found.debit && <Money amount={found.debit} />}</TableCell>
                    <TableCell align="right">{found.credit && <Money amount={found.credit} />}</TableCell>
                  </TableRow>
                );
              })}
              <TableRow sx={total}>
                <TableCell component="th" scope="row">
                  {t('books.sum')}
                </TableCell>
                <TableCell align="right">
                  <Money amount={sum(currency, 'debit')} strong />
                </TableCell>
                <TableCell align="right">
                  <Money amount={sum(currency, 'credit')} strong />
                </TableCell>
              </TableRow>
            </TableBody>
          ))}
        </Table>
      </TableContainer>
      <Box
        role="status"
        sx={{
          display: 'flex',
          gap: 1,
          alignItems: 'center',
          padding: { xs: '12px 16px 16px', sm: '12px 24px 16px' },
          color: isEven ? 'success.main' : 'error.main',
        }}
      >
        {isEven ? <CheckCircleOutlined aria-hidden /> : <ErrorOutlineOutlined aria-hidden />}
        <Typography variant="body2">{t(isEven ? 'books.adds_up' : 'books.adds_up_not')}</Typography>
      </Box>
    </>
  );
}
