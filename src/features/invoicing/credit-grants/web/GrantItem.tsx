// One grant as shown to its organization: a bar with the remaining amount, its scope, and its validity.
import { inLanguage } from '#kernel/language.ts';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { OwnGrant } from '../contract.ts';
import { stateTones, useGrantWords } from './grant-words.ts';
import { shareLeft, wholeOf } from './share-left.ts';

export function GrantItem({ grant }: { grant: OwnGrant }) {
  const { t } = useTranslation('creditgrants');
  const format = useFormat();
  const words = useGrantWords();
  const recurring = words.recurring(grant);
  const name = inLanguage(grant.name, format.language);
  const left = format.money(grant.left);
  const share = shareLeft(grant);
  // The start only matters before it is reached.
  const period = grant.state === 'upcoming' ? grant : { lastMonth: grant.lastMonth };
  // used as: 'creditgrants.kind_*', 'creditgrants.state_*'
  return (
    <Box component="li" sx={{ display: 'grid', gap: '6px', alignContent: 'start', minWidth: 0 }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap', minWidth: 0 }}>
        <Typography variant="body2" component="h3" sx={{ fontWeight: 700, overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        <StatusBadge
          tone={grant.kind === 'paid' ? 'primary' : 'info'}
          label={t(`creditgrants.kind_${grant.kind}`)}
          icon={null}
        />
        {grant.state !== 'active' && (
          <StatusBadge tone={stateTones[grant.state]} label={t(`creditgrants.state_${grant.state}`)} />
        )}
      </Stack>
      <Box
        role="meter"
        aria-label={t('creditgrants.left_of', { name })}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
        aria-valuetext={left}
        sx={{
          height: 10,
          borderRadius: '5px',
          bgcolor: 'sunken',
          border: '1px solid',
          borderColor: 'divider',
          overflow: 'hidden',
        }}
      >
        <Box
          sx={{
            height: '100%',
            width: `${share}%`,
            bgcolor: 'quota.normal',
            forcedColorAdjust: 'none',
            transition: 'width 180ms',
          }}
        />
      </Box>
      <Stack direction="row" sx={{ gap: '0 16px', justifyContent: 'space-between', flexWrap: 'wrap' }}>
        <Typography variant="body2" className="tabular">
          {t('creditgrants.left_of_amount', { left, amount: format.money(wholeOf(grant)) })}
        </Typography>
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {words.scope(grant.scope)}
        </Typography>
      </Stack>
      <Typography variant="caption" component="p" color="textSecondary">
        {[...(recurring === null ? [] : [recurring]), words.period(period)].join(' · ')}
      </Typography>
    </Box>
  );
}
