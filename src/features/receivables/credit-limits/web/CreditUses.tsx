// The outstanding amounts against limits, by currency: a bar, and the amounts it consists of.
import ExpandMoreOutlined from '~icons/ic/outline-expand-more';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { atCommas } from '#platform/web/ui/line-breaks.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { CreditUse } from '../contract.ts';

const tones = { within: 'neutral', near: 'warning', reached: 'error' } as const;
const colors = { within: 'quota.normal', near: 'quota.warning', reached: 'quota.critical' } as const;

/** `folded`: what an amount consists of is shown on request, where room is scarce. */
export function CreditUses({ items, folded = false }: { items: readonly CreditUse[]; folded?: boolean }) {
  return (
    <Stack sx={{ gap: 2 }}>
      {items.map((use) => (
        <CreditUseItem key={use.limit.currency} use={use} hasCurrency={items.length > 1} folded={folded} />
      ))}
    </Stack>
  );
}

function CreditUseItem({
  use,
  hasCurrency,
  folded,
}: {
  use: CreditUse;
  hasCurrency: boolean;
  folded: boolean;
}) {
  const { t } = useTranslation('creditlimits');
  const format = useFormat();
  const { limit, isOwn, used, unpaid, unbilled, balance, left, percent, level } = use;
  const { currency } = limit;
  const hasParts = [unpaid, unbilled, balance].some(({ minor }) => minor !== 0n);
  const minus = { minor: -balance.minor, currency };
  const [isOpen, setIsOpen] = useState(!folded);
  const partsId = useId();
  return (
    <Box>
      <Stack direction="row" sx={{ alignItems: 'center', gap: 1, flexWrap: 'wrap', marginBottom: 0.75 }}>
        <Typography variant="body2" sx={{ flex: 1, minWidth: 0, ...atCommas }}>
          {hasCurrency && `${currency} · `}
          {used.minor > 0n
            ? t('creditlimits.used_of', { used: format.money(used), limit: format.money(limit) })
            : t('creditlimits.used_none', { limit: format.money(limit) })}
        </Typography>
        {/* used as: 'creditlimits.level_*' */}
        {level !== 'within' && <StatusBadge tone={tones[level]} label={t(`creditlimits.level_${level}`)} />}
      </Stack>
      <LinearProgress
        variant="determinate"
        value={Math.min(100, percent)}
        aria-label={t('creditlimits.meter', { currency })}
        aria-valuetext={format.percent(percent / 100)}
        sx={{
          height: 8,
          borderRadius: '4px',
          bgcolor: 'sunken',
          marginBottom: 1,
          '& .MuiLinearProgress-bar': { bgcolor: colors[level], borderRadius: '4px' },
        }}
      />
      {hasParts && folded && (
        <Button
          size="small"
          aria-expanded={isOpen}
          aria-controls={partsId}
          {...(hasCurrency && { 'aria-label': t('creditlimits.parts_in', { currency }) })}
          endIcon={
            <ExpandMoreOutlined aria-hidden sx={{ transform: isOpen ? 'rotate(180deg)' : undefined }} />
          }
          onClick={() => setIsOpen(!isOpen)}
          sx={{ marginInlineStart: '-10px' }}
        >
          {t('creditlimits.parts')}
        </Button>
      )}
      {hasParts && (
        <Box id={partsId}>
          {isOpen && (
            <Facts
              amounts
              items={[
                [t('creditlimits.unpaid'), <Money key="unpaid" amount={unpaid} />],
                [t('creditlimits.unbilled'), <Money key="unbilled" amount={unbilled} />],
                [t('creditlimits.balance'), <Money key="balance" amount={minus} />],
                [t('creditlimits.left'), <Money key="left" amount={left} />],
              ]}
            />
          )}
        </Box>
      )}
      {!isOwn && (
        <Typography variant="caption" component="p" color="textSecondary">
          {t('creditlimits.for_all')}
        </Typography>
      )}
    </Box>
  );
}
