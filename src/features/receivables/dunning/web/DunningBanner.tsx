// Shown to members whose organization is past due or suspended: the amount, the next consequences with dates,
// and a link to pay. Renders nothing otherwise.
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { sumMoney } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { DunningStanding, HoldLevel } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { Block } from '#platform/web/ui/QueryState.tsx';
import { dunningKey, dunningQueries } from './api.ts';

export type DunningBannerProps = {
  /** Shown instead if there is no message. */
  readonly otherwise?: ReactNode;
};

/** Starts the request together with the screen's own, so that the banner does not appear late. */
export function useDunningAhead(): void {
  useQuery(dunningQueries.dunningStanding());
}

export function DunningBanner({ otherwise: fallback = null }: DunningBannerProps) {
  const query = useQuery(dunningQueries.dunningStanding());
  useLive('bills', [dunningKey('dunningStanding')]);
  // On an error nothing is shown, because the bills themselves are marked as overdue.
  const { data, isPending } = query;
  if (isPending) return <Block height={52} />;
  if (data && data.level !== null && data.payer !== null && data.bills.length === 0)
    return <PayerBanner level={data.level} payer={data.payer} />;
  if (!data || data.bills.length === 0) return fallback;
  return <Banner standing={data} />;
}

/** For an organization whose services are restricted because another organization has not paid for them. */
function PayerBanner({ level, payer }: { level: HoldLevel; payer: string }) {
  const { t } = useTranslation('dunning');
  // used as: 'dunning.banner_*'
  return (
    <Box data-screen-only>
      <Alert severity={level === 'suspended' ? 'error' : 'warning'}>
        <AlertTitle>{t(`dunning.banner_${level}`)}</AlertTitle>
        <Box>{t('dunning.banner_payer', { payer })}</Box>
        {level === 'suspended' && <Box>{t('dunning.banner_suspended_what')}</Box>}
      </Alert>
    </Box>
  );
}

const earliest = (days: readonly (LocalDay | null)[]): LocalDay | undefined =>
  days.filter((day) => day !== null).toSorted()[0];

function Banner({ standing: { level, bills } }: { standing: DunningStanding }) {
  const { t } = useTranslation('dunning');
  const format = useFormat();
  const [first] = bills;
  if (!first) return null;
  const amounts = [
    ...Map.groupBy(
      bills.map((bill) => bill.due),
      (due) => due.currency,
    ),
  ].map(([currency, dues]) => format.money(sumMoney(dues, currency)));
  const suspendOn = earliest(bills.map((bill) => bill.willSuspendOn));
  const pastDueOn = earliest(bills.map((bill) => (bill.next?.action === 'past_due' ? bill.next.on : null)));
  const words = [
    t('dunning.banner_owed', {
      amount: amounts.join(' + '),
      numbers:
        bills
          .map((bill) => bill.number)
          .slice(0, 3)
          .join(', ') + (bills.length > 3 ? ' …' : ''),
    }),
    ...(level === 'suspended'
      ? [t('dunning.banner_suspended_what')]
      : level === null && pastDueOn !== undefined
        ? [t('dunning.banner_past_due_on', { date: format.day(pastDueOn) })]
        : []),
    ...(level !== 'suspended' && suspendOn !== undefined
      ? [t('dunning.banner_suspends_on', { date: format.day(suspendOn) })]
      : []),
  ];
  // used as: 'dunning.banner_*'
  return (
    <Box data-screen-only>
      <Alert
        severity={level === 'suspended' ? 'error' : 'warning'}
        sx={{
          '& .MuiAlert-message': { flex: '1 1 200px', minWidth: 0 },
          '& .MuiAlert-action': { alignSelf: 'center', paddingTop: 0 },
          flexWrap: { xs: 'wrap', sm: 'nowrap' },
        }}
        action={
          <Button
            color="inherit"
            size="small"
            variant="outlined"
            component={Link}
            to={`/billing/management?month=${first.month}`}
            sx={{ whiteSpace: 'nowrap' }}
          >
            {t('dunning.banner_pay')}
          </Button>
        }
      >
        <AlertTitle>{t(`dunning.banner_${level ?? 'overdue'}`)}</AlertTitle>
        {words.map((sentence) => (
          <Box key={sentence}>{sentence}</Box>
        ))}
      </Alert>
    </Box>
  );
}
