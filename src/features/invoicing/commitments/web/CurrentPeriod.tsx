// The current period of a commitment: usage so far, expected usage, and the expected true-up.
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Commitment, CommitmentState } from '../contract.ts';
import { useCommitmentWords } from './commitment-words.ts';
import { Progress } from './Progress.tsx';
import { progressOf } from './progress.ts';

const titles = {
  active: 'commitments.current_period',
  upcoming: 'commitments.first_period',
  ended: 'commitments.last_period',
} as const;

export function CurrentPeriod({
  name,
  state,
  current,
}: {
  name: string;
  state: CommitmentState;
  current: NonNullable<Commitment['current']>;
}) {
  const { t } = useTranslation('commitments');
  const format = useFormat();
  const words = useCommitmentWords();
  const { used, amount, expected } = progressOf(current);
  return (
    <Stack sx={{ gap: '8px' }}>
      <Typography variant="caption" component="p" color="textSecondary">
        {t(titles[state], { months: words.months(current.firstMonth, current.lastMonth) })}
      </Typography>
      <Progress name={name} current={current} />
      <Stack direction="row" sx={{ gap: '0 16px', justifyContent: 'space-between', flexWrap: 'wrap' }}>
        <Typography variant="body2" className="tabular">
          {t('commitments.used_of', { used: format.money(used), amount: format.money(amount) })}
        </Typography>
        {expected && (
          <Typography variant="body2" color="textSecondary" className="tabular">
            {t('commitments.expected_at_end', { amount: format.money(expected) })}
          </Typography>
        )}
      </Stack>
      <TrueUp current={current} />
    </Stack>
  );
}

function TrueUp({ current: { outlook, trueUp, state } }: { current: NonNullable<Commitment['current']> }) {
  const { t } = useTranslation('commitments');
  const format = useFormat();
  if (!outlook && state === 'upcoming') return null;
  const amount = outlook?.trueUp ?? trueUp;
  if (amount.minor === 0n)
    return (
      <Typography variant="body2" color="textSecondary">
        {t(outlook?.risk === 'over' ? 'commitments.used_up_early' : 'commitments.true_up_none')}
      </Typography>
    );
  return (
    <Typography variant="body2" sx={{ fontWeight: 700 }} className="tabular">
      {t(outlook ? 'commitments.true_up_expected' : 'commitments.true_up_charged', {
        amount: format.money(amount),
      })}
    </Typography>
  );
}
