// The margin of a month by customer and cloud service: sales, cost, and the difference.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import { decimal } from '#kernel/decimal.ts';
import { isMonth, type BillingMonth } from '#kernel/shape.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { FullTable } from '#platform/web/ui/FullTable.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { MonthPicker } from '#platform/web/ui/MonthPicker.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { Margin, MarginRow } from '../contract.ts';
import { minimumService } from '../rules-sell.ts';
import { costsApi, costsQueries } from './api.ts';
import { CostAmounts, useAmountsText } from './CostAmounts.tsx';

/**
 * The number of services shown until the user asks for all; a few usually make up nearly all of the margin.
 */
const shownFirst = 10;

export function MarginSection() {
  const { t } = useTranslation('costs');
  const [chosen, setMonth] = useParam('month');
  const now = monthNow(useBrand((brand) => brand.timeZone));
  const language = useLanguage();
  const download = useDownload();
  const month: BillingMonth = isMonth(chosen) ? chosen : now;
  const query = usePagedQuery(costsQueries.getMargin({ month }));
  return (
    <>
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
      {query.data && query.data.rows.length > 0 && <Services key={month} rows={query.data.rows} />}
    </>
  );
}

/** The services of a month, highest sales first. */
function Services({ rows }: { rows: readonly MarginRow[] }) {
  const { t } = useTranslation('costs');
  const columns = useMarginColumns();
  const [isWhole, setIsWhole] = useState(false);
  const sorted = rows.toSorted(
    (a, b) =>
      a.currency.localeCompare(b.currency) ||
      decimal(b.sold).cmp(decimal(a.sold)) ||
      a.service.localeCompare(b.service),
  );
  return (
    <FullTable
      title={t('costs.margin_rows')}
      columns={columns}
      rows={isWhole ? sorted : sorted.slice(0, shownFirst)}
      rowKey={(row) => `${row.organizationId} ${row.currency} ${row.service}`}
      rowName={(row) => `${row.organization} ${row.service}`}
      actions={
        !isWhole &&
        rows.length > shownFirst && (
          <Button onClick={() => setIsWhole(true)}>{t('costs.margin_all', { count: rows.length })}</Button>
        )
      }
    />
  );
}

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
        totals.map((total) => <Total key={total.currency} total={total} />)
      )}
    </Stack>
  );
}

const sides = ['sold', 'cost', 'margin'] as const;

/** The month's totals in one currency. */
function Total({ total }: { total: Margin['totals'][number] }) {
  const { t } = useTranslation('costs');
  const format = useFormat();
  return (
    <Box
      role="group"
      aria-label={`${t('costs.total')} ${total.currency}`}
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', sm: 'repeat(4, minmax(0, 1fr))' },
        gap: 2,
      }}
    >
      {sides.map((side) => (
        // used as: 'costs.column_sold', 'costs.column_cost', 'costs.column_margin'
        <Figure key={side} label={t(`costs.column_${side}`)}>
          <CostAmounts amounts={[{ amount: total[side], currency: total.currency }]} />
        </Figure>
      ))}
      <Figure label={t('costs.margin_percent')}>
        {total.percent === null ? '–' : format.percent(Number(total.percent) / 100)}
      </Figure>
    </Box>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box>
      <Typography variant="body2" color="textSecondary">
        {label}
      </Typography>
      <Typography component="div" variant="h3" className="tabular">
        {children}
      </Typography>
    </Box>
  );
}

function useMarginColumns(): readonly Column<MarginRow>[] {
  const { t } = useTranslation('costs');
  const format = useFormat();
  return [
    {
      key: 'service',
      label: t('costs.column_service'),
      card: 'title',
      render: ({ service }) =>
        service === ''
          ? t('costs.rest_of_bill')
          : service === minimumService
            ? t('costs.margin_minimum')
            : service,
    },
    { key: 'customer', label: t('costs.column_customer'), render: ({ organization }) => organization },
    ...sides.map((side): Column<MarginRow> => ({
      key: side,
      label: t(`costs.column_${side}`),
      align: 'right',
      render: (row) => <CostAmounts amounts={[{ amount: row[side], currency: row.currency }]} />,
    })),
    {
      key: 'percent',
      label: t('costs.margin_percent'),
      align: 'right',
      render: ({ percent }) => (percent === null ? '–' : format.percent(Number(percent) / 100)),
    },
    {
      key: 'state',
      label: t('costs.state'),
      show: 'wide',
      render: ({ isIssued }) => (
        <StatusBadge
          tone={isIssued ? 'success' : 'primary'}
          label={t(isIssued ? 'costs.issued' : 'costs.running')}
        />
      ),
    },
  ];
}
