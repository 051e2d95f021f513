// The margin of a month by customer and cloud service: what was sold, what it cost, and what is left.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableFooter from '@mui/material/TableFooter';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { isMonth, type BillingMonth } from '#kernel/shape.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { MonthPicker } from '#platform/web/ui/MonthPicker.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { Margin, MarginRow } from '../contract.ts';
import { costsApi, costsQueries } from './api.ts';
import { CostAmounts, useAmountsText } from './CostAmounts.tsx';

export function MarginSection() {
  const { t } = useTranslation('costs');
  const [chosen, setMonth] = useParam('month');
  const now = monthNow(useBrand((brand) => brand.timeZone));
  const language = useLanguage();
  const download = useDownload();
  const month: BillingMonth = isMonth(chosen) ? chosen : now;
  const query = useQuery({ ...costsQueries.getMargin({ month }), placeholderData: keepPreviousData });
  return (
    <Section
      title={t('costs.margin')}
      actions={
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
          <MonthPicker value={month} max={now} onChange={(next) => setMonth(next, { replace: true })} />
          <Button
            variant="outlined"
            disabled={(query.data?.rows.length ?? 0) === 0}
            onClick={() => void download((options) => costsApi.exportMargin({ month, language }, options))}
          >
            {t('costs.export')}
          </Button>
        </Stack>
      }
    >
      <QueryState query={query} skeleton={<Lines count={5} />}>
        {(margin) => <Figures margin={margin} />}
      </QueryState>
    </Section>
  );
}

const figure = { whiteSpace: 'nowrap' } as const;

function Figures({ margin }: { margin: Margin }) {
  const { t } = useTranslation('costs');
  const amountsText = useAmountsText();
  const { rows, totals, unassigned } = margin;
  return (
    <Stack sx={{ gap: 2 }}>
      {unassigned.length > 0 && (
        <Alert severity="warning">{t('costs.margin_unassigned', { amounts: amountsText(unassigned) })}</Alert>
      )}
      {rows.length === 0 ? (
        <EmptyState title={t('costs.margin_empty')} hint={t('costs.margin_empty_hint')} />
      ) : (
        <TableContainer role="region" aria-label={t('costs.margin')} tabIndex={0}>
          <Table size="small">
            <TableHead>
              <TableRow>
                <TableCell>{t('costs.column_customer')}</TableCell>
                <TableCell>{t('costs.column_service')}</TableCell>
                <TableCell align="right">{t('costs.column_sold')}</TableCell>
                <TableCell align="right">{t('costs.column_cost')}</TableCell>
                <TableCell align="right">{t('costs.column_margin')}</TableCell>
                <TableCell align="right" sx={figure}>
                  {t('costs.column_percent')}
                </TableCell>
                <TableCell>{t('costs.state')}</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {rows.map((row) => (
                <TableRow key={`${row.organizationId} ${row.currency} ${row.service}`}>
                  <TableCell>{row.organization}</TableCell>
                  <TableCell sx={{ color: row.service === '' ? 'text.secondary' : undefined }}>
                    {row.service === '' ? t('costs.rest_of_bill') : row.service}
                  </TableCell>
                  <Sides of={row} />
                  <TableCell>
                    <StatusBadge
                      tone={row.isIssued ? 'success' : 'neutral'}
                      label={t(row.isIssued ? 'costs.issued' : 'costs.running')}
                    />
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
            <TableFooter>
              {totals.map((total) => (
                <TableRow
                  key={total.currency}
                  sx={{ '& td': { fontWeight: 700, color: 'text.primary', fontSize: '0.875rem' } }}
                >
                  <TableCell colSpan={2}>
                    {t('costs.total')} <Box component="span">{total.currency}</Box>
                  </TableCell>
                  <Sides of={total} />
                  <TableCell />
                </TableRow>
              ))}
            </TableFooter>
          </Table>
        </TableContainer>
      )}
    </Stack>
  );
}

function Sides({ of }: { of: Pick<MarginRow, 'sold' | 'cost' | 'margin' | 'percent' | 'currency'> }) {
  const format = useFormat();
  return (
    <>
      {(['sold', 'cost', 'margin'] as const).map((side) => (
        <TableCell key={side} align="right">
          <CostAmounts amounts={[{ amount: of[side], currency: of.currency }]} />
        </TableCell>
      ))}
      <TableCell align="right" className="tabular" sx={figure}>
        {of.percent === null ? '–' : format.percent(Number(of.percent) / 100)}
      </TableCell>
    </>
  );
}
