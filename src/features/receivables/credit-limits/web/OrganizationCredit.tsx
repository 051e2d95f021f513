// An organization's outstanding amount against its credit limits, and a button to set a limit.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { creditLimitsKey, creditLimitsQueries } from './api.ts';
import { CreditUses } from './CreditUses.tsx';
import { LimitDialog } from './LimitDialog.tsx';

export function OrganizationCredit({ organizationId }: { organizationId: Id<'org'> }) {
  const { t } = useTranslation('creditlimits');
  const [isSetting, setIsSetting] = useState(false);
  const query = useQuery(creditLimitsQueries.adminCreditLimit({ organizationId }));
  useLive('billing', [creditLimitsKey('adminCreditLimit')]);
  return (
    <Box component="section">
      <Stack direction="row" sx={{ alignItems: 'center', gap: 1, marginBottom: 1 }}>
        <Typography variant="h3" sx={{ flex: 1 }}>
          {t('creditlimits.title')}
        </Typography>
        <Button size="small" variant="outlined" aria-haspopup="dialog" onClick={() => setIsSetting(true)}>
          {t('creditlimits.set')}
        </Button>
      </Stack>
      <QueryState query={query} skeleton={<Block height={64} />}>
        {({ items }) =>
          items.length === 0 ? (
            <Typography variant="body2" color="textSecondary">
              {t('creditlimits.none')}
            </Typography>
          ) : (
            <CreditUses items={items} />
          )
        }
      </QueryState>
      {isSetting && (
        <LimitDialog
          of={{ organizationId, amount: query.data?.items[0]?.limit }}
          onClose={() => setIsSetting(false)}
        />
      )}
    </Box>
  );
}
