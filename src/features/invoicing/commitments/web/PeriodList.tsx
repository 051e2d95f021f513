// The periods of a commitment: the committed amount of each, what was drawn from it, and what was charged.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { Period } from '../contract.ts';
import { periodTones, useCommitmentWords } from './commitment-words.ts';

export function PeriodList({ periods }: { periods: readonly Period[] }) {
  const { t } = useTranslation('commitments');
  const format = useFormat();
  const words = useCommitmentWords();
  // used as: 'commitments.period_state_*'
  return (
    <Box component="ol" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {periods.map(({ index, firstMonth, lastMonth, amount, target, drawn, trueUp, state }) => (
        <Box
          component="li"
          key={index}
          sx={{
            display: 'grid',
            gridTemplateColumns: 'minmax(0, 1fr) auto',
            gap: '2px 16px',
            paddingBlock: 1,
            borderTop: '1px solid',
            borderColor: 'divider',
            fontSize: '0.875rem',
          }}
        >
          <Stack direction="row" sx={{ gap: '4px 8px', alignItems: 'center', flexWrap: 'wrap', minWidth: 0 }}>
            <span>{words.months(firstMonth, lastMonth)}</span>
            <StatusBadge
              tone={periodTones[state]}
              label={t(`commitments.period_state_${state}`)}
              icon={null}
            />
          </Stack>
          <Box component="span" className="tabular" sx={{ textAlign: 'end', fontWeight: 700 }}>
            {format.money(amount)}
          </Box>
          <Typography variant="caption" component="span" color="textSecondary">
            {[
              t('commitments.period_number', { number: index + 1 }),
              ...(target.minor === amount.minor
                ? []
                : [t('commitments.due', { amount: format.money(target) })]),
            ].join(' · ')}
          </Typography>
          <Typography
            variant="caption"
            component="span"
            color="textSecondary"
            className="tabular"
            sx={{ textAlign: 'end' }}
          >
            {state !== 'upcoming' &&
              [
                t('commitments.use_drawn', { amount: format.money(drawn) }),
                ...(trueUp.minor === 0n
                  ? []
                  : [t('commitments.use_true_up', { amount: format.money(trueUp) })]),
              ].join(' · ')}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}
