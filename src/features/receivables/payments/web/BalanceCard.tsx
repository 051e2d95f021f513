// The prepaid balance, the amount due, transfers awaiting confirmation, and a button to top up.
import ScheduleOutlined from '~icons/ic/outline-schedule';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Balance, Payment } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { paymentsKey, paymentsQueries } from './api.ts';
import { AutomaticPayment } from './AutomaticPayment.tsx';
import { TopUpButton } from './TopUpButton.tsx';
import { useMayPay } from './use-may-pay.ts';

/** Starts the request together with the screen's own, so that the card does not appear late. */
export function useBalanceAhead(): void {
  useQuery(paymentsQueries.balance());
}

export function BalanceCard({
  actions,
  more,
}: {
  /** Shown beside the button that tops up. */
  readonly actions?: ReactNode;
  /** Shown below everything else. */
  readonly more?: ReactNode;
}) {
  const { t } = useTranslation('payments');
  const mayPay = useMayPay();
  const query = useQuery(paymentsQueries.balance());
  useLive('bills', [paymentsKey()]);
  return (
    <Section title={t('payments.balance_title')}>
      <QueryState query={query} skeleton={<Lines count={4} />}>
        {(balance) => <Content balance={balance} />}
      </QueryState>
      {(mayPay || actions !== undefined) && (
        <Stack direction="row" useFlexGap sx={{ marginTop: 2, gap: 1, flexWrap: 'wrap' }} data-screen-only>
          {mayPay && <TopUpButton />}
          {actions}
        </Stack>
      )}
      {query.data && <AutomaticPayment automatic={query.data.automatic} mayChange={mayPay} />}
      {more}
    </Section>
  );
}

function Content({ balance }: { balance: Balance }) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const owed = balance.owed.filter((one) => one.minor > 0n);
  return (
    <Stack sx={{ gap: 2 }}>
      <Box sx={{ containerType: 'inline-size' }}>
        {balance.balances.map((one) => (
          <Typography key={one.currency} variant="kpi" component="p">
            {format.money(one)}
          </Typography>
        ))}
      </Box>
      {owed.length > 0 && (
        <Facts
          items={owed.map(
            (one) =>
              [
                owed.length > 1 ? t('payments.owed_in', { currency: one.currency }) : t('payments.owed'),
                <Money key={one.currency} amount={one} />,
              ] as const,
          )}
        />
      )}
      {balance.pending.length > 0 && (
        <Box>
          <Typography variant="subtitle2" component="h3">
            {t('payments.waiting')}
          </Typography>
          <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
            {balance.pending.map((payment) => (
              <Pending key={payment.id} payment={payment} />
            ))}
          </Box>
          <Typography variant="caption" component="p" color="textSecondary">
            {t('payments.waiting_hint')}
          </Typography>
        </Box>
      )}
    </Stack>
  );
}

function Pending({ payment }: { payment: Payment }) {
  return (
    <Box
      component="li"
      sx={{ display: 'flex', gap: 1, alignItems: 'center', paddingBlock: '6px', fontSize: '0.875rem' }}
    >
      <ScheduleOutlined aria-hidden sx={{ fontSize: 18, color: 'text.secondary' }} />
      <Box component="span" sx={{ flex: 1, minWidth: 0, color: 'text.secondary', overflowWrap: 'anywhere' }}>
        <Moment at={payment.createdAt} as="relative" />
        {payment.note !== '' && ` · ${payment.note}`}
      </Box>
      <Money amount={payment.amount} />
    </Box>
  );
}
