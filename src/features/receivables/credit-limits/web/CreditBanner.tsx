// Shown to members whose organization is near or at its credit limit: the amounts, the consequences, and a
// link to pay. Renders nothing otherwise.
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { Block } from '#platform/web/ui/QueryState.tsx';
import { creditLimitsKey } from './api.ts';
import { useOwnLimit } from './use-own-limit.ts';

/** Starts the request together with the screen's own, so that the banner does not appear late. */
export function useCreditAhead(): void {
  useOwnLimit();
}

export function CreditBanner({
  otherwise = null,
  isOnBills = false,
}: {
  /** Shown instead if there is no message. */
  readonly otherwise?: ReactNode;
  /** The page where bills are paid needs no link to itself. */
  readonly isOnBills?: boolean;
}) {
  const { t } = useTranslation('creditlimits');
  const format = useFormat();
  const { data, isLoading } = useOwnLimit();
  useLive('bills', [creditLimitsKey('creditLimit')]);
  if (isLoading) return <Block height={52} />;
  const warned = data?.items.filter(({ level }) => level !== 'within') ?? [];
  const worst = warned.find(({ level }) => level === 'reached') ?? warned[0];
  if (!worst) return otherwise;
  const level = worst.level === 'reached' ? 'reached' : 'near';
  // used as: 'creditlimits.banner_*'
  return (
    <Box data-screen-only>
      <Alert
        severity="warning"
        sx={{
          '& .MuiAlert-message': { flex: '1 1 200px', minWidth: 0 },
          '& .MuiAlert-action': { alignSelf: 'center', paddingTop: 0 },
          flexWrap: { xs: 'wrap', sm: 'nowrap' },
        }}
        {...(!isOnBills && {
          action: (
            <Button
              color="inherit"
              size="small"
              variant="outlined"
              component={Link}
              to="/billing/management"
              sx={{ whiteSpace: 'nowrap' }}
            >
              {t('creditlimits.banner_pay')}
            </Button>
          ),
        })}
      >
        <AlertTitle>{t(`creditlimits.banner_${level}`)}</AlertTitle>
        {warned
          .filter((each) => each.level === worst.level)
          .map(({ limit, used, left }) => (
            <Box key={limit.currency}>
              {t(`creditlimits.banner_${level}_what`, {
                used: format.money(used),
                limit: format.money(limit),
                left: format.money(left),
              })}
            </Box>
          ))}
      </Alert>
    </Box>
  );
}
