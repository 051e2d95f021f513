// One budget as text beside its bar: status, spending, forecast, and the notices sent.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { Budget } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { shown, stateOf, thresholdAmount, type BudgetState } from './budget-view.ts';
import { BudgetBar } from './BudgetBar.tsx';

const tones: Record<BudgetState, BadgeTone> = {
  within: 'success',
  near: 'warning',
  heading: 'warning',
  over: 'error',
};

/** `children`: its buttons. */
export function BudgetItem({ budget, children }: { budget: Budget; children?: ReactNode }) {
  const { t } = useTranslation('budgets');
  const format = useFormat();
  const { amount, forecast, nextThreshold } = budget;
  const state = stateOf(budget);
  const amountOf = (exact: string) => format.money(shown(exact, amount.currency));
  const percent = (value: number) => format.percent(value / 100);
  return (
    <Box component="li" sx={{ display: 'grid', gap: '4px', alignContent: 'start', minWidth: 0 }}>
      <Stack
        direction="row"
        sx={{
          gap: 1,
          alignItems: 'center',
          justifyContent: 'space-between',
          flexWrap: 'wrap',
          minHeight: 36,
        }}
      >
        <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap', minWidth: 0 }}>
          <Typography variant="body2" component="h3" sx={{ fontWeight: 700, overflowWrap: 'anywhere' }}>
            {budget.name}
          </Typography>
          {/* used as: 'budgets.state_*' */}
          <StatusBadge tone={tones[state]} label={t(`budgets.state_${state}`)} />
        </Stack>
        {children}
      </Stack>
      <BudgetBar budget={budget} />
      <Stack direction="row" sx={{ gap: '0 16px', justifyContent: 'space-between', flexWrap: 'wrap' }}>
        <Typography variant="body2" className="tabular">
          {t('budgets.spent', {
            spent: format.money(budget.billed),
            amount: format.money(amount),
            percent: percent(budget.percent),
          })}
        </Typography>
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {budget.service?.name ?? t('budgets.all_services')}
        </Typography>
      </Stack>
      <Typography variant="caption" component="p" color="textSecondary" className="tabular">
        {[
          forecast
            ? t('budgets.forecast', {
                expected: amountOf(forecast.expected),
                percent: percent(forecast.percent),
                low: amountOf(forecast.low),
                high: amountOf(forecast.high),
              })
            : t('budgets.no_forecast'),
          ...(nextThreshold === null
            ? []
            : [
                t('budgets.next', {
                  threshold: percent(nextThreshold),
                  amount: format.money(thresholdAmount(amount, nextThreshold)),
                }),
              ]),
        ].join(' · ')}
      </Typography>
      <ReachedThresholds budget={budget} />
    </Box>
  );
}

function ReachedThresholds({ budget: { told } }: { budget: Budget }) {
  const { t } = useTranslation('budgets');
  const format = useFormat();
  const of = (kind: 'actual' | 'forecast') =>
    told.filter((each) => each.kind === kind).map((each) => format.percent(each.threshold / 100));
  const [actual, forecast] = [of('actual'), of('forecast')];
  const words = [
    ...(actual.length > 0 ? [t('budgets.told_actual', { thresholds: format.list(actual) })] : []),
    ...(forecast.length > 0 ? [t('budgets.told_forecast', { thresholds: format.list(forecast) })] : []),
  ];
  return words.length === 0 ? null : (
    <Typography variant="caption" component="p" color="textSecondary">
      {words.join(' · ')}
    </Typography>
  );
}

const swatch = { display: 'inline-block', verticalAlign: 'middle', marginInlineEnd: '6px' } as const;

/** Explains the parts of a bar. */
export function BudgetKey() {
  const { t } = useTranslation('budgets');
  return (
    <Stack direction="row" sx={{ gap: '4px 16px', flexWrap: 'wrap' }}>
      <span>
        <Box
          component="span"
          aria-hidden
          sx={{ ...swatch, width: 16, height: 10, borderRadius: '3px', bgcolor: 'quota.normal' }}
        />
        {t('budgets.key_spent')}
      </span>
      <span>
        <Box
          component="span"
          aria-hidden
          sx={{
            ...swatch,
            width: 16,
            height: 14,
            borderInlineStart: '3px dashed',
            borderColor: 'quota.normal',
            position: 'relative',
            '&::after': {
              content: '""',
              position: 'absolute',
              inset: '2px 0',
              bgcolor: 'quota.normal',
              opacity: 0.3,
            },
          }}
        />
        {t('budgets.key_forecast')}
      </span>
      <span>
        <Box
          component="span"
          aria-hidden
          sx={{ ...swatch, width: '2px', height: 14, bgcolor: 'text.secondary' }}
        />
        {t('budgets.key_threshold')}
      </span>
    </Stack>
  );
}
