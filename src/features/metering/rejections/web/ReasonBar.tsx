// The number of open events by reason; for the chosen reason, how to fix it, and actions for all its events.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Chip from '@mui/material/Chip';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import type { Out } from '#kernel/contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { rejections } from '../contract.ts';
import { useFixHint, useReasonName } from './reasons.ts';
import type { RejectedState } from './rejected-filters.ts';

type ReasonBarProps = {
  readonly reasons: Out<typeof rejections.rejectedReasons> | undefined;
  readonly state: RejectedState;
  readonly onReplay: (code: string, count: number) => void;
  readonly onDismiss: (code: string, count: number) => void;
};

export function ReasonBar({ reasons, state, onReplay, onDismiss }: ReasonBarProps) {
  const { t } = useTranslation('rejections');
  const format = useFormat();
  const nameOf = useReasonName();
  const heading = useId();
  if (!reasons || reasons.reasons.length === 0) return null;
  const chosen = reasons.reasons.find(({ code }) => code === state.filters.code);
  return (
    <Card
      component="section"
      aria-labelledby={heading}
      sx={{ padding: { xs: '12px 16px', sm: '16px 24px' }, display: 'grid', gap: 1.5 }}
    >
      <Typography id={heading} variant="subtitle2" component="h2">
        {t('rejections.reasons')}
      </Typography>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        {reasons.reasons.map(({ code, count }) => {
          const isChosen = code === chosen?.code;
          return (
            <Chip
              key={code}
              component="button"
              clickable
              aria-pressed={isChosen}
              color={isChosen ? 'primary' : 'default'}
              variant={isChosen ? 'filled' : 'outlined'}
              label={`${nameOf(code)} ${format.number(count)}`}
              onClick={() => state.setFilter('code', isChosen ? undefined : code)}
            />
          );
        })}
      </Stack>
      {chosen && (
        <Chosen
          code={chosen.code}
          count={chosen.count}
          isWhole={state.filters.type === undefined}
          onReplay={onReplay}
          onDismiss={onDismiss}
        />
      )}
    </Card>
  );
}

function Chosen({
  code,
  count,
  isWhole,
  onReplay,
  onDismiss,
}: { code: string; count: number; isWhole: boolean } & Pick<ReasonBarProps, 'onReplay' | 'onDismiss'>) {
  const { t } = useTranslation('rejections');
  const format = useFormat();
  const mend = useFixHint()(code);
  // With a filter by event type, only the server knows the count.
  const label = isWhole
    ? t('rejections.replay_all', { count: format.number(count) })
    : t('rejections.replay');
  return (
    <>
      {mend !== undefined && <Alert severity="info">{mend}</Alert>}
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        <Button aria-haspopup="dialog" variant="contained" onClick={() => onReplay(code, count)}>
          {label}
        </Button>
        <Button aria-haspopup="dialog" variant="outlined" onClick={() => onDismiss(code, count)}>
          {isWhole ? t('rejections.dismiss_all', { count: format.number(count) }) : t('rejections.dismiss')}
        </Button>
      </Stack>
    </>
  );
}
