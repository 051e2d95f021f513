// How much of a period's committed amount is used: a bar, with a mark at the expected end value.
import Box from '@mui/material/Box';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Commitment } from '../contract.ts';
import { progressOf } from './progress.ts';

export function Progress({
  name,
  current,
}: {
  /** The commitment's name, for screen readers. */
  name: string;
  current: NonNullable<Commitment['current']>;
}) {
  const { t } = useTranslation('commitments');
  const format = useFormat();
  const { amount, used, expected, usedShare, expectedShare } = progressOf(current);
  const colour = current.outlook?.risk === 'behind' ? 'quota.warning' : 'quota.normal';
  return (
    <Box
      role="meter"
      aria-label={t('commitments.progress_of', { name })}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={usedShare}
      aria-valuetext={
        expected
          ? t('commitments.progress_text', {
              used: format.money(used),
              expected: format.money(expected),
              amount: format.money(amount),
            })
          : t('commitments.used_of', { used: format.money(used), amount: format.money(amount) })
      }
      sx={{
        position: 'relative',
        height: 10,
        borderRadius: '5px',
        bgcolor: 'sunken',
        border: '1px solid',
        borderColor: 'divider',
        forcedColorAdjust: 'none',
      }}
    >
      {expectedShare !== null && (
        <Box
          sx={{
            position: 'absolute',
            inset: 0,
            width: `${expectedShare}%`,
            bgcolor: colour,
            opacity: 0.3,
            borderRadius: '5px',
          }}
        />
      )}
      <Box
        sx={{
          position: 'absolute',
          inset: 0,
          width: `${usedShare}%`,
          bgcolor: colour,
          borderRadius: '5px',
          transition: 'width 180ms',
        }}
      />
      {expectedShare !== null && (
        <Box
          sx={{
            position: 'absolute',
            insetBlock: '-4px',
            insetInlineStart: `calc(${expectedShare}% - 1px)`,
            width: 2,
            bgcolor: 'text.primary',
            borderRadius: '1px',
          }}
        />
      )}
    </Box>
  );
}
