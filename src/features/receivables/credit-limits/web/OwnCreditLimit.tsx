// A customer's credit limits, below the balance; renders nothing without a limit.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { creditLimitsKey } from './api.ts';
import { CreditUses } from './CreditUses.tsx';
import { useOwnLimit } from './use-own-limit.ts';

export function OwnCreditLimit() {
  const { t } = useTranslation('creditlimits');
  const { data } = useOwnLimit();
  useLive('bills', [creditLimitsKey('creditLimit')]);
  if (!data || data.items.length === 0) return null;
  return (
    <Box sx={{ borderTop: '1px solid', borderColor: 'divider', marginTop: 2, paddingTop: 2 }}>
      <Typography variant="subtitle2" component="h3" sx={{ marginBottom: 1 }}>
        {t('creditlimits.title')}
      </Typography>
      <CreditUses folded items={data.items.map((use) => ({ ...use, isOwn: true }))} />
    </Box>
  );
}
