// Announced transfers that no Admin has confirmed yet, oldest first.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Payment } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { WaitingItem, WaitingSection } from '#platform/web/ui/WaitingSection.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { paymentsQueries } from './api.ts';
import { ConfirmTopUp, RejectTopUp } from './SettleDialogs.tsx';

/** Only the first few; the list below has all. */
const shownAtOnce = 20;
type OpenAction = { readonly action: 'confirm' | 'reject'; readonly payment: Payment };

export function PendingTopUps() {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const [settling, setSettling] = useState<OpenAction>();
  const query = useQuery(
    paymentsQueries.adminListPayments({
      state: 'pending',
      byTransfer: true,
      sort: 'createdAt',
      limit: shownAtOnce,
    }),
  );
  const total = query.data?.total ?? 0;
  const close = () => setSettling(undefined);
  return (
    <WaitingSection
      title={total > 0 ? t('payments.pending_count', { count: format.number(total) }) : t('payments.pending')}
      lead={t('payments.pending_lead')}
      label={t('payments.pending')}
      query={query}
      empty={{ title: t('payments.pending_empty'), hint: t('payments.pending_empty_hint') }}
      item={(payment) => (
        <Waiting key={payment.id} payment={payment} onSettle={(action) => setSettling({ action, payment })} />
      )}
      more={
        total > shownAtOnce &&
        t('payments.pending_more', { shown: format.number(shownAtOnce), total: format.number(total) })
      }
    >
      {settling?.action === 'confirm' && <ConfirmTopUp payment={settling.payment} onClose={close} />}
      {settling?.action === 'reject' && <RejectTopUp payment={settling.payment} onClose={close} />}
    </WaitingSection>
  );
}

function Waiting({
  payment,
  onSettle,
}: {
  payment: Payment;
  onSettle: (action: OpenAction['action']) => void;
}) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const params = { organization: payment.organization, amount: format.money(payment.amount) };
  return (
    <WaitingItem columns={{ xs: 'minmax(0, 1fr) auto', sm: 'minmax(0, 1fr) auto auto' }}>
      <Box sx={{ minWidth: 0 }}>
        <Typography variant="subtitle1" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {payment.organization}
        </Typography>
        <Typography variant="caption" component="p" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          <Moment at={payment.createdAt} as="relative" /> ·{' '}
          {payment.billNumber === null
            ? t('payments.top_up_kind')
            : t('payments.bill_by', { number: payment.billNumber })}{' '}
          ·{' '}
          <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
            {payment.reference}
            {payment.note !== '' && ' ·'}
          </Box>
          {payment.note !== '' && ` ${payment.note}`}
        </Typography>
      </Box>
      <Typography variant="subtitle1" component="p">
        <Money amount={payment.amount} strong />
      </Typography>
      <Stack direction="row" sx={{ gap: 1, gridColumn: { xs: '1 / -1', sm: 'auto' } }}>
        <Button
          aria-haspopup="dialog"
          variant="contained"
          size="small"
          aria-label={t('payments.confirm_of', params)}
          onClick={() => onSettle('confirm')}
        >
          {t('payments.confirm')}
        </Button>
        <Button
          aria-haspopup="dialog"
          variant="outlined"
          size="small"
          color="error"
          aria-label={t('payments.reject_of', params)}
          onClick={() => onSettle('reject')}
        >
          {t('payments.reject')}
        </Button>
      </Stack>
    </WaitingItem>
  );
}
