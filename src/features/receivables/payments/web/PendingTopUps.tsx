// Announced transfers that no Admin has confirmed yet, oldest first.
import TaskAltOutlined from '~icons/ic/outline-task-alt';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Payment } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { paymentsQueries } from './api.ts';
import { ConfirmTopUp, RejectTopUp } from './SettleDialogs.tsx';

/** Only the first ones; the list below has all. */
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
    <Section
      title={total > 0 ? t('payments.pending_count', { count: format.number(total) }) : t('payments.pending')}
      lead={t('payments.pending_lead')}
      flush
    >
      <QueryState
        query={query}
        skeleton={
          <Box sx={{ padding: 3 }}>
            <Lines count={4} />
          </Box>
        }
      >
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              compact
              icon={<TaskAltOutlined />}
              title={t('payments.pending_empty')}
              hint={t('payments.pending_empty_hint')}
            />
          ) : (
            <Box
              component="ul"
              aria-label={t('payments.pending')}
              sx={{ listStyle: 'none', margin: 0, padding: 0 }}
            >
              {items.map((payment) => (
                <Waiting
                  key={payment.id}
                  payment={payment}
                  onSettle={(action) => setSettling({ action, payment })}
                />
              ))}
            </Box>
          )
        }
      </QueryState>
      {total > shownAtOnce && (
        <Typography variant="caption" component="p" color="textSecondary" sx={{ padding: '8px 24px' }}>
          {t('payments.pending_more', { shown: format.number(shownAtOnce), total: format.number(total) })}
        </Typography>
      )}
      {settling?.action === 'confirm' && <ConfirmTopUp payment={settling.payment} onClose={close} />}
      {settling?.action === 'reject' && <RejectTopUp payment={settling.payment} onClose={close} />}
    </Section>
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
    <Box
      component="li"
      sx={{
        display: 'grid',
        gap: '8px 24px',
        alignItems: 'center',
        gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', sm: 'minmax(0, 1fr) auto auto' },
        padding: { xs: '12px 16px', sm: '12px 24px' },
        borderTop: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Typography variant="subtitle1" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {payment.organization}
        </Typography>
        <Typography variant="caption" component="p" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          <Moment at={payment.createdAt} as="relative" /> ·{' '}
          {payment.billNumber === null
            ? t('payments.top_up_kind')
            : t('payments.bill_by', { number: payment.billNumber })}{' '}
          · {payment.reference}
          {payment.note !== '' && ` · ${payment.note}`}
        </Typography>
      </Box>
      <Typography variant="subtitle1" component="p">
        <Money amount={payment.amount} strong />
      </Typography>
      <Stack direction="row" sx={{ gap: 1, gridColumn: { xs: '1 / -1', sm: 'auto' } }}>
        <Button
          variant="contained"
          size="small"
          aria-label={t('payments.confirm_of', params)}
          onClick={() => onSettle('confirm')}
        >
          {t('payments.confirm')}
        </Button>
        <Button
          variant="outlined"
          size="small"
          color="error"
          aria-label={t('payments.reject_of', params)}
          onClick={() => onSettle('reject')}
        >
          {t('payments.reject')}
        </Button>
      </Stack>
    </Box>
  );
}
