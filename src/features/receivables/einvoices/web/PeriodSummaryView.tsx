// The figures for the tax return of a two-month period, and the unused numbers.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import ChevronLeft from '~icons/ic/outline-chevron-left';
import ChevronRight from '~icons/ic/outline-chevron-right';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { required } from '#kernel/assert.ts';
import { isMonth, type BillingMonth } from '#kernel/shape.ts';
import type { PeriodSummary } from '../contract.ts';
import { einvoiceNumber, isPeriod, nextPeriod, periodOf, previousPeriod } from '../rules.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useNow } from '#platform/web/time/clock.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { FullTable } from '#platform/web/ui/FullTable.tsx';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Grid, Section } from '#platform/web/ui/Section.tsx';
import { StatCard } from '#platform/web/ui/StatCard.tsx';
import { Parts } from '#platform/web/ui/Parts.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { einvoicesApi, einvoicesKey, einvoicesQueries } from './api.ts';
import { usePeriodName } from './period-name.ts';

const asMonth = (period: string): BillingMonth => required(isMonth(period) ? period : undefined, 'a period');

export function PeriodSummaryView() {
  const { t } = useTranslation('einvoices');
  const language = useLanguage();
  const download = useDownload();
  const periodName = usePeriodName();
  const now = periodOf(useNow());
  const [wanted, setPeriod] = useParam('period');
  const period = asMonth(wanted !== undefined && isPeriod(wanted) ? wanted : now);
  const query = useQuery(einvoicesQueries.periodSummary({ period }));
  const go = (next: string): void => setPeriod(next === now ? undefined : next);
  return (
    <Parts>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        <IconAction label={t('einvoices.period_previous')} onClick={() => go(previousPeriod(period))}>
          <ChevronLeft />
        </IconAction>
        <Typography variant="h2" className="tabular">
          {periodName(period)}
        </Typography>
        <IconAction
          label={t('einvoices.period_next')}
          disabled={period >= now}
          onClick={() => go(nextPeriod(period))}
        >
          <ChevronRight />
        </IconAction>
        <Box sx={{ flex: 1 }} />
        <Button
          variant="outlined"
          onClick={() => void download((options) => einvoicesApi.periodCsv({ period, language }, options))}
        >
          {t('einvoices.export_csv')}
        </Button>
      </Stack>
      <Typography variant="body2" color="textSecondary">
        {t('einvoices.period_lead')}
      </Typography>
      <QueryState query={query} skeleton={<Block height={320} />}>
        {(summary) => <Summary summary={summary} />}
      </QueryState>
    </Parts>
  );
}

function Summary({ summary }: { summary: PeriodSummary }) {
  const { t } = useTranslation('einvoices');
  const format = useFormat();
  const isOpen = summary.waiting > 0 || summary.failed > 0;
  const rows = [
    ...summary.sales.map((each) => ({ what: 'sales' as const, ...each })),
    ...summary.allowances.map((each) => ({ what: 'allowances' as const, ...each })),
  ];
  type Row = (typeof rows)[number];
  // used as: 'einvoices.row_*', 'einvoices.kind_*', 'einvoices.tax_*'
  const columns: readonly Column<Row>[] = [
    {
      key: 'what',
      label: t('einvoices.return_what'),
      card: 'title',
      render: (row) => `${t(`einvoices.row_${row.what}`)} · ${t(`einvoices.kind_${row.kind}`)}`,
    },
    {
      key: 'taxKind',
      label: t('einvoices.return_tax_kind'),
      render: (row) => t(`einvoices.tax_${row.taxKind}`),
    },
    {
      key: 'count',
      label: t('einvoices.return_count'),
      align: 'right',
      render: (row) => format.number(row.count),
    },
    {
      key: 'net',
      label: t('einvoices.return_net'),
      align: 'right',
      render: (row) => <Money amount={row.net} />,
    },
    {
      key: 'tax',
      label: t('einvoices.return_tax'),
      align: 'right',
      render: (row) => <Money amount={row.tax} />,
    },
    {
      key: 'total',
      label: t('einvoices.return_total'),
      align: 'right',
      show: 'wide',
      render: (row) => <Money amount={row.total} />,
    },
  ];
  return (
    <>
      {isOpen && <Alert severity="warning">{t('einvoices.period_open')}</Alert>}
      <Grid columns={4} pairs>
        <StatCard label={t('einvoices.period_sum')} value={format.money(summary.net)} />
        <StatCard label={t('einvoices.return_tax')} value={format.money(summary.tax)} />
        <StatCard label={t('einvoices.period_voided')} value={format.number(summary.voided)} />
        <StatCard
          label={t('einvoices.period_waiting')}
          value={format.number(summary.waiting)}
          {...(summary.failed > 0 && {
            note: `${t('einvoices.period_failed')} ${format.number(summary.failed)}`,
          })}
        />
      </Grid>
      <FullTable
        title={t('einvoices.view_period')}
        columns={columns}
        rows={rows}
        rowKey={(row) => `${row.what} ${row.kind} ${row.taxKind}`}
        rowName={(row) => t(`einvoices.row_${row.what}`)}
        empty={<EmptyState title={t('einvoices.period_empty')} hint={t('einvoices.period_empty_hint')} />}
      />
      <Unused summary={summary} />
    </>
  );
}

function Unused({ summary }: { summary: PeriodSummary }) {
  const { t } = useTranslation('einvoices');
  const format = useFormat();
  const [isAsking, setIsAsking] = useState(false);
  const report = useCall(einvoicesApi.reportUnused, {
    invalidates: [einvoicesKey()],
    onSuccess: () => toast.success(t('einvoices.unused_reported')),
  });
  return (
    <Section
      title={t('einvoices.unused')}
      actions={
        summary.canReportUnused && (
          <Button variant="contained" aria-haspopup="dialog" onClick={() => setIsAsking(true)}>
            {t('einvoices.unused_report')}
          </Button>
        )
      }
    >
      {summary.unused.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          {t('einvoices.unused_none')}
        </Typography>
      ) : (
        <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {summary.unused.map((range) => (
            <Stack
              component="li"
              direction="row"
              key={`${range.letters}${range.from}`}
              sx={{ justifyContent: 'space-between', gap: 2, paddingBlock: 0.5, fontSize: '0.875rem' }}
            >
              <Box component="span" className="tabular">
                {einvoiceNumber(range.letters, range.from)}
                {range.count > 1 && `–${einvoiceNumber(range.letters, range.to).slice(2)}`}
              </Box>
              <Box component="span" className="tabular">
                {format.number(range.count)}
              </Box>
            </Stack>
          ))}
        </Box>
      )}
      <ConfirmDialog
        open={isAsking}
        title={t('einvoices.unused_report')}
        confirmLabel={t('einvoices.unused_report')}
        onConfirm={() => report.mutateAsync({ period: summary.period })}
        onClose={() => setIsAsking(false)}
      >
        {t('einvoices.unused_report_ask')}
      </ConfirmDialog>
    </Section>
  );
}
