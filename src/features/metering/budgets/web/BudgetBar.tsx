// One budget as a bar: spending is solid, in one color (the words beside the bar state its status), the
// forecast is a mark with its range, thresholds are ticks.
import Box from '@mui/material/Box';
import type { Budget } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { placesOf, stateOf } from './budget-view.ts';

const height = 14;

export function BudgetBar({ budget }: { budget: Budget }) {
  const { t } = useTranslation('budgets');
  const format = useFormat();
  const { spent, whole, expected, low, high, thresholds } = placesOf(budget);
  const state = stateOf(budget);
  // used as: 'budgets.state_*'
  const words = [
    t('budgets.meter_value', {
      percent: format.percent(budget.percent / 100),
      state: t(`budgets.state_${state}`),
    }),
    ...(budget.forecast
      ? [t('budgets.meter_forecast', { percent: format.percent(budget.forecast.percent / 100) })]
      : []),
  ];
  const line = (at: number, more: object) => (
    <Box
      aria-hidden
      sx={{ position: 'absolute', insetInlineStart: `${at}%`, transform: 'translateX(-50%)', ...more }}
    />
  );
  return (
    <Box
      role="meter"
      aria-label={t('budgets.meter', { name: budget.name })}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(100, Math.max(0, Math.round(budget.percent)))}
      aria-valuetext={words.join(' · ')}
      sx={{ position: 'relative', height: height + 8, marginInline: '2px' }}
    >
      {/* The part beyond the budget is only outlined, since that spending is too high. */}
      <Box
        aria-hidden
        sx={{
          position: 'absolute',
          top: 4,
          height,
          width: '100%',
          borderRadius: '4px',
          border: '1px dashed',
          borderColor: 'divider',
        }}
      />
      <Box
        aria-hidden
        sx={{
          position: 'absolute',
          top: 4,
          height,
          width: `${whole}%`,
          borderRadius: '4px',
          bgcolor: 'sunken',
          border: '1px solid',
          borderColor: 'divider',
        }}
      />
      {expected !== null && high > low && (
        <Box
          aria-hidden
          sx={{
            position: 'absolute',
            top: 6,
            height: height - 4,
            insetInlineStart: `${low}%`,
            width: `${high - low}%`,
            bgcolor: 'quota.normal',
            opacity: 0.3,
            borderRadius: '3px',
            forcedColorAdjust: 'none',
          }}
        />
      )}
      <Box
        aria-hidden
        sx={{
          position: 'absolute',
          top: 4,
          height,
          width: `${spent}%`,
          bgcolor: 'quota.normal',
          borderRadius: '4px',
          forcedColorAdjust: 'none',
          transition: 'width 180ms',
        }}
      />
      {thresholds.map((each) => (
        <Box key={each.percent} component="span">
          {line(each.at, { top: 0, width: '2px', height: height + 8, bgcolor: 'text.secondary' })}
        </Box>
      ))}
      {expected !== null &&
        line(expected, {
          top: 0,
          height: height + 8,
          borderInlineStart: '3px dashed',
          borderColor: 'quota.normal',
          forcedColorAdjust: 'none',
        })}
    </Box>
  );
}
