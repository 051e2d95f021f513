// The ledger's trial balance: what stands on each kind of account, and that it all adds up to zero.
import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined';
import ErrorOutlineOutlined from '@mui/icons-material/ErrorOutlineOutlined';
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { Out } from '#kernel/contract.ts';
import { sumMoney } from '#kernel/money.ts';
import type { payments } from '#features/payments/contract.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { paymentsQueries } from './api.ts';
import { usePaymentsTexts } from './texts.ts';

type Sums = Out<typeof payments.trialBalance>['items'];
const kinds = ['cash', 'receivable', 'balance', 'revenue', 'tax'] as const;

export function TrialBalance() {
  const t = usePaymentsTexts();
  const query = useQuery(paymentsQueries.trialBalance());
  return (
    <Section title={t('payments.trial_balance')} lead={t('payments.trial_balance_lead')} flush>
      <QueryState query={query} skeleton={<Box sx={{ padding: 3 }}><Lines count={6} /></Box>}>
        {({ items }) => items.length === 0 ? <EmptyState compact title={t('payments.ledger_empty')} hint={t('payments.ledger_empty_hint')} /> : <Sums items={items} />}
      </QueryState>
    </Section>
  );
}

const edges = { '& tr > :first-child': { paddingInlineStart: { sm: '24px' } }, '& tr > :last-child': { paddingInlineEnd: { sm: '24px' } } } as const;

function Sums({ items }: { items: Sums }) {
  const t = usePaymentsTexts();
  const currencies = [...new Set(items.map((item) => item.currency))];
  const totals = currencies.map((currency) => sumMoney(items.filter((item) => item.currency === currency).map((item) => item.sum), currency));
  const isZero = totals.every((total) => total.minor === 0n);
  return (
    <>
      <TableContainer tabIndex={0} role="region" aria-label={t('payments.trial_balance')} sx={edges}>
        <Table size="small" aria-label={t('payments.trial_balance')}>
          <TableHead>
            <TableRow>
              <TableCell>{t('payments.account')}</TableCell>
              {currencies.map((currency) => <TableCell key={currency} align="right">{currency}</TableCell>)}
            </TableRow>
          </TableHead>
          <TableBody>
            {/* used as: 'payments.account_*' */}
            {kinds.map((kind) => (
              <TableRow key={kind}>
                <TableCell component="th" scope="row" sx={{ fontWeight: 400 }}>{t(`payments.account_${kind}`)}</TableCell>
                {currencies.map((currency) => {
                  const found = items.find((item) => item.kind === kind && item.currency === currency);
                  return <TableCell key={currency} align="right">{found ? <Money amount={found.sum} /> : '–'}</TableCell>;
                })}
              </TableRow>
            ))}
            <TableRow sx={{ '& > *': { borderTop: '1px solid', borderTopColor: 'text.secondary', fontWeight: '700 !important' } }}>
              <TableCell component="th" scope="row">{t('payments.account_sum')}</TableCell>
              {totals.map((total) => <TableCell key={total.currency} align="right"><Money amount={total} strong /></TableCell>)}
            </TableRow>
          </TableBody>
        </Table>
      </TableContainer>
      <Box role="status" sx={{ display: 'flex', gap: 1, alignItems: 'center', padding: '12px 24px 16px', color: isZero ? 'success.main' : 'error.main' }}>
        {isZero ? <CheckCircleOutlined aria-hidden /> : <ErrorOutlineOutlined aria-hidden />}
        <Typography variant="body2">{t(isZero ? 'payments.adds_up' : 'payments.adds_up_not')}</Typography>
      </Box>
    </>
  );
}
