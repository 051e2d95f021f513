// One commitment as shown to its organization: the current period, rates and scope, and the history by
// period.
import { inLanguage } from '#kernel/language.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { OwnCommitment } from '../contract.ts';
import { CommitmentBadge } from './Badge.tsx';
import { CurrentPeriod } from './CurrentPeriod.tsx';
import { useCommitmentWords } from './commitment-words.ts';
import { PeriodList } from './PeriodList.tsx';

export function OwnCommitmentItem({ commitment }: { commitment: OwnCommitment }) {
  const { t } = useTranslation('commitments');
  const { language } = useFormat();
  const words = useCommitmentWords();
  const [isOpen, setIsOpen] = useState(false);
  const { state, current, startsOn, lastMonth, periods } = commitment;
  const name = inLanguage(commitment.name, language);
  return (
    <Box component="li" sx={{ display: 'grid', gap: '8px', minWidth: 0 }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap', minWidth: 0 }}>
        <Typography variant="body2" component="h3" sx={{ fontWeight: 700, overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        <CommitmentBadge commitment={commitment} />
      </Stack>
      {current && <CurrentPeriod name={name} state={state} current={current} />}
      <Typography
        variant="caption"
        component="p"
        color="textSecondary"
        sx={{ '&::first-letter': { textTransform: 'uppercase' } }}
      >
        {[
          words.rates(commitment),
          words.scope(commitment.scope),
          lastMonth < startsOn ? t('commitments.ended_before') : words.months(startsOn, lastMonth),
        ].join(' · ')}
      </Typography>
      {periods.length > 0 && (
        <Box>
          <Button size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)} data-screen-only>
            {t(isOpen ? 'commitments.own_hide_history' : 'commitments.own_show_history')}
          </Button>
          {isOpen && <PeriodList periods={periods} />}
        </Box>
      )}
    </Box>
  );
}
