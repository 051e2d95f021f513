// Customers by their first month, and their retention: a table whose cells are tinted by their figure.
import Box from '@mui/material/Box';
import { alpha } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useQuery } from '@tanstack/react-query';
import type { Currency } from '#kernel/money.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import type { Cohort } from '../contract.ts';
import { metricsQueries } from './api.ts';
import { percentOf } from './metric-words.ts';
import { ReportFiles } from './ReportFiles.tsx';

type By = 'amount' | 'customers';

export function Cohorts({ currency, months }: { currency: Currency; months: number }) {
  const { t } = useTranslation('metrics');
  const [wanted, setBy] = useParam('by');
  const by: By = wanted === 'customers' ? 'customers' : 'amount';
  const query = useQuery(metricsQueries.cohorts({ currency, months: Math.max(months, 1) }));
  return (
    <Section
      title={t('metrics.cohorts')}
      lead={t('metrics.cohorts_lead')}
      actions={
        <Box sx={{ display: 'flex', gap: 1, alignItems: 'center' }}>
          <SelectBox
            label={t('metrics.cohorts_by')}
            value={by}
            options={[
              { value: 'amount', label: t('metrics.cohorts_by_amount') },
              { value: 'customers', label: t('metrics.cohorts_by_customers') },
            ]}
            onChange={(next) => setBy(next === 'amount' ? undefined : next, { replace: true })}
          />
          <ReportFiles report="cohorts" currency={currency} />
        </Box>
      }
      flush
    >
      <QueryState query={query} skeleton={<Lines count={6} padded />}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState compact title={t('metrics.empty')} hint={t('metrics.empty_hint')} />
          ) : (
            <HeatMap cohorts={items} by={by} />
          )
        }
      </QueryState>
    </Section>
  );
}

const cells = {
  '& td, & th': { whiteSpace: 'nowrap', paddingInline: '8px' },
  // A year and its last month fit next to the open menu, because the newest column is the most important.
  '& thead th:not(:first-of-type)': { whiteSpace: 'normal', minWidth: 56 },
  '& tr > :first-of-type': { paddingInlineStart: { xs: '16px', sm: '24px' } },
  '& tr > :last-child': { paddingInlineEnd: { xs: '16px', sm: '24px' } },
  '& tbody tr > :first-of-type': {
    position: 'sticky',
    insetInlineStart: 0,
    backgroundColor: 'background.paper',
    zIndex: 1,
  },
} as const;

function HeatMap({ cohorts, by }: { cohorts: readonly Cohort[]; by: By }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const longest = Math.max(...cohorts.map(({ kept }) => kept.length));
  return (
    <TableContainer tabIndex={0} role="region" aria-label={t('metrics.cohorts')} sx={cells}>
      <Table size="small" aria-label={t('metrics.cohorts')}>
        <TableHead>
          <TableRow>
            <TableCell>{t('metrics.cohort')}</TableCell>
            <TableCell align="right">{t('metrics.cohort_size')}</TableCell>
            {Array.from({ length: longest }, (_, place) => (
              <TableCell key={place} align="right">
                {t('metrics.cohort_month', { number: place })}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {cohorts.map((cohort) => (
            <TableRow key={cohort.month}>
              <TableCell component="th" scope="row">
                {format.month(cohort.month)}
              </TableCell>
              <TableCell align="right">
                {by === 'amount' ? <Money amount={cohort.amount} short /> : format.number(cohort.customers)}
              </TableCell>
              {Array.from({ length: longest }, (_, place) => {
                const kept = cohort.kept[place];
                return kept ? (
                  <Kept key={place} percent={by === 'amount' ? kept.amountPercent : kept.customersPercent} />
                ) : (
                  <TableCell key={place} />
                );
              })}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

/** The tint ranges from none to a third of the main color, so that the text stays readable in both themes. */
const strongest = 0.34;

function Kept({ percent }: { percent: string | null }) {
  const format = useFormat();
  const share = Math.min(1, Math.max(0, Number(percent ?? 0) / 100));
  return (
    <TableCell
      align="right"
      className="tabular"
      sx={(theme) => ({ backgroundColor: alpha(theme.palette.primary.main, share * strongest) })}
    >
      {percentOf(percent, format)}
    </TableCell>
  );
}
