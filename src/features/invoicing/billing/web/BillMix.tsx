// The composition of a bill: the net amount of each service as a part of one bar.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTheme } from '@mui/material/styles';
import { money } from '#kernel/money.ts';
import type { BillLine } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { partsOf, shareOf } from './bill-parts.ts';

/** Strengths of the brand color, largest part first; the rest is gray. */
const strengths = [100, 72, 50, 32] as const;
function useColours(): (place: number) => string {
  const { palette } = useTheme().vars;
  return (place) => {
    const strength = strengths[place];
    return strength === undefined
      ? palette.chart.other
      : `color-mix(in srgb, ${palette.primary.main} ${strength}%, ${palette.background.paper})`;
  };
}

/** Renders nothing for a single service, or if discounts leave nothing to divide. */
export function BillMix({ lines }: { readonly lines: readonly BillLine[] }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const colourOf = useColours();
  const parts = partsOf(lines, strengths.length);
  const [first] = lines;
  if (!first || parts.length < 2) return null;
  const sum = parts.reduce((total, { minor }) => total + minor, 0n);
  const nameOf = (name: string | null) => name ?? t('chart.other');
  return (
    <Box component="figure" aria-label={t('billing.made_of')} sx={{ margin: 0 }}>
      <Box aria-hidden sx={{ display: 'flex', gap: '2px', height: 12 }}>
        {parts.map(({ name, minor }, place) => (
          <Box
            key={name ?? ''}
            sx={{
              flex: `${Number(minor)} 0 3px`,
              bgcolor: colourOf(place),
              borderRadius: '3px',
              forcedColorAdjust: 'none',
            }}
          />
        ))}
      </Box>
      <Box
        component="ul"
        sx={{
          listStyle: 'none',
          margin: '8px 0 0',
          padding: 0,
          display: 'flex',
          flexWrap: 'wrap',
          gap: '4px 20px',
        }}
      >
        {parts.map(({ name, minor }, place) => (
          <Box
            component="li"
            key={name ?? ''}
            sx={{ display: 'flex', gap: '8px', alignItems: 'center', minWidth: 0 }}
          >
            <Box
              aria-hidden
              sx={{
                width: 12,
                height: 12,
                flexShrink: 0,
                borderRadius: '3px',
                bgcolor: colourOf(place),
                forcedColorAdjust: 'none',
              }}
            />
            <Typography
              variant="body2"
              component="span"
              className="tabular"
              sx={{ overflowWrap: 'anywhere' }}
            >
              {nameOf(name)} {format.money(money(minor, first.total.currency))}
              <Typography variant="caption" component="span" color="textSecondary">
                {' '}
                {format.percent(shareOf(minor, sum))}
              </Typography>
            </Typography>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
