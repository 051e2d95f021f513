// Why the bills of a month differ from the imported files' ListCost: a calculation that explains every step.
import CheckCircleOutlined from '~icons/ic/outline-check-circle';
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Out } from '#kernel/contract.ts';
import { decimal, isZero } from '#kernel/decimal.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billingPaths } from '#features/invoicing/billing/contract.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import type { administration } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Calculation, type CalculationStep } from '#platform/web/ui/Calculation.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { administrationQueries } from './api.ts';

type Item = Out<typeof administration.reconcile>['items'][number];

/** The calculation in its card; `actions` can select the month. */
export function Reconciliation({ month, actions }: { month: BillingMonth; actions?: ReactNode }) {
  const { t } = useTranslation('administration');
  return (
    <Section
      title={t('administration.reconcile_title')}
      lead={t('administration.reconcile_lead')}
      actions={actions}
    >
      <OneMonth month={month} />
    </Section>
  );
}

function OneMonth({ month }: { month: BillingMonth }) {
  const { t } = useTranslation('administration');
  const format = useFormat();
  const query = usePagedQuery(administrationQueries.reconcile({ month }));
  return (
    <QueryState query={query} skeleton={<Block height={360} />}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState
            compact
            title={t('administration.reconcile_empty', { month: format.month(month) })}
            hint={t('administration.reconcile_empty_hint')}
          />
        ) : (
          <Stack sx={{ gap: 4, opacity: query.isPlaceholderData ? 0.6 : 1 }}>
            {items.map((item) => (
              <OneCurrency key={item.currency} item={item} month={month} />
            ))}
          </Stack>
        )
      }
    </QueryState>
  );
}

function OneCurrency({ item, month }: { item: Item; month: BillingMonth }) {
  const { t } = useTranslation('administration');
  const format = useFormat();
  return (
    <Box
      sx={{
        display: 'grid',
        gap: { xs: 2, lg: 4 },
        alignItems: 'start',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 880px) minmax(280px, 1fr)' },
      }}
    >
      <Calculation
        label={t('administration.reconcile_of', { month: format.month(month), currency: item.currency })}
        heads={{ step: format.month(month), amount: item.currency }}
        steps={useSteps(item)}
      />
      {item.bills === 0 ? (
        <Alert
          severity="info"
          action={
            <Button component={Link} to={`${billingPaths.admin}?month=${month}`} color="inherit" size="small">
              {t('administration.import_close_month', { month: format.month(month) })}
            </Button>
          }
        >
          {t('administration.reconcile_not_closed', { month: format.month(month) })}
        </Alert>
      ) : (
        <Verdict item={item} />
      )}
    </Box>
  );
}

function Verdict({ item }: { item: Item }) {
  const { t } = useTranslation('administration');
  const format = useFormat();
  const isExplained = isZero(decimal(item.unexplained));
  return (
    <Alert
      severity={isExplained ? 'success' : 'warning'}
      {...(isExplained && { icon: <CheckCircleOutlined /> })}
    >
      <AlertTitle component="p" sx={{ fontSize: 'inherit', fontWeight: 700, margin: 0 }}>
        {t('administration.reconcile_unexplained', { amount: format.number(item.unexplained) })}
      </AlertTitle>
      <Typography variant="body2" component="span">
        {t(isExplained ? 'administration.reconcile_explained' : 'administration.reconcile_open')}
      </Typography>
    </Alert>
  );
}

/** The steps up to the file's exact amount, and if there are bills, on to their total. */
function useSteps(item: Item): readonly CalculationStep[] {
  const { t } = useTranslation('administration');
  const format = useFormat();
  const file: CalculationStep[] = [
    {
      sign: '',
      label: t('administration.step_list_cost'),
      note: t('administration.step_list_cost_note'),
      amount: item.listCost,
    },
    {
      sign: '−',
      label: t('administration.step_refused'),
      note: t('administration.step_refused_note'),
      amount: item.refused,
    },
    {
      sign: '+',
      label: t('administration.step_differences'),
      note: t('administration.step_differences_note'),
      amount: item.rowDifferences,
    },
    {
      sign: '=',
      label: t('administration.step_exact'),
      note: t('administration.step_exact_note'),
      amount: item.exact,
      isResult: true,
    },
  ];
  if (item.bills === 0) return file;
  const counts = { bills: format.number(item.bills), lines: format.number(item.lines) };
  const isWhole = decimal(item.net).plus(decimal(item.tax)).eq(decimal(item.total));
  return [
    ...file,
    {
      sign: '+',
      label: t('administration.step_rounding'),
      note: t('administration.step_rounding_note', counts),
      amount: item.rounding,
    },
    {
      sign: '=',
      label: t('administration.step_net'),
      note: t('administration.step_net_note', counts),
      amount: item.net,
      isResult: true,
    },
    // A bill with further services has more tax and a higher total than these lines.
    {
      sign: isWhole ? '+' : '',
      label: t('administration.step_tax'),
      note: t(isWhole ? 'administration.step_tax_note' : 'administration.step_tax_other'),
      amount: item.tax,
    },
    { sign: isWhole ? '=' : '', label: t('administration.step_total'), amount: item.total, isResult: true },
  ];
}
