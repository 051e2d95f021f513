// One payment beside the list: agreed and received amount, the provider's notices, and refunds.
import ReplayOutlined from '~icons/ic/outline-replay';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isId, type Id } from '#kernel/ids.ts';
import { subtractMoney } from '#kernel/money.ts';
import { billingPaths } from '#features/invoicing/billing/contract.ts';
import type { Dispute, PaymentDetail, PaymentStep } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { Timeline, TimelineStep } from '#platform/web/ui/Timeline.tsx';
import { paymentsQueries } from './api.ts';
import { DisputeList } from './DisputeList.tsx';
import { PaymentKind, PaymentStanding } from './PaymentKind.tsx';
import { RefundDialog } from './RefundDialog.tsx';
import { RefundList } from './RefundList.tsx';
import { TakeBackWithholding } from './SettleDialogs.tsx';

export function PaymentPanel({ paymentId, onClose }: { paymentId: string | undefined; onClose: () => void }) {
  const { t } = useTranslation('payments');
  const known = isId('pay', paymentId) ? paymentId : undefined;
  return (
    <SidePanel open={known !== undefined} title={t('payments.detail')} onClose={onClose} width={560}>
      {known !== undefined && <OnePayment paymentId={known} />}
    </SidePanel>
  );
}

function OnePayment({ paymentId }: { paymentId: Id<'pay'> }) {
  return (
    <QueryState query={useQuery(paymentsQueries.adminGetPayment({ paymentId }))}>
      {(payment) => <Content payment={payment} />}
    </QueryState>
  );
}

function Content({ payment }: { payment: PaymentDetail }) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const [isRefunding, setIsRefunding] = useState(false);
  const [isTakingBack, setIsTakingBack] = useState(false);
  const { received, toBill, refundable } = payment;
  return (
    <Stack sx={{ gap: 3 }}>
      <Stack direction="row" sx={{ gap: 2, alignItems: 'flex-start', justifyContent: 'space-between' }}>
        <Box sx={{ minWidth: 0 }}>
          <Typography variant="h3" component="p" sx={{ overflowWrap: 'anywhere' }}>
            {payment.organization}
          </Typography>
          <Typography variant="kpi" component="p">
            <Money amount={received ?? payment.amount} />
          </Typography>
        </Box>
        <PaymentStanding payment={payment} atEnd />
      </Stack>
      {payment.isMismatch && <Alert severity="warning">{t('payments.mismatch_hint')}</Alert>}
      <Facts
        items={[
          [t('payments.kind'), <PaymentKind key="kind" payment={payment} linkTo={billingPaths.admin} />],
          // What was received stands above. Withheld tax was not received.
          ...(received && !payment.withholding && received.minor !== payment.amount.minor
            ? [[t('payments.amount'), <Money key="amount" amount={payment.amount} />] as const]
            : []),
          // Only part of it went to the bill.
          ...(received &&
          toBill &&
          payment.billId !== null &&
          !payment.withholding &&
          toBill.minor !== received.minor
            ? [
                [t('payments.to_bill'), <Money key="bill" amount={toBill} />] as const,
                [
                  t('payments.to_balance'),
                  <Money key="balance" amount={subtractMoney(received, toBill)} />,
                ] as const,
              ]
            : []),
          // used as: 'payments.failure_*'
          ...(payment.failure === 'declined' ||
          payment.failure === 'expired' ||
          payment.failure === 'refused' ||
          payment.failure === 'rejected' ||
          payment.failure === 'not_needed'
            ? [[t('payments.failure'), t(`payments.failure_${payment.failure}`)] as const]
            : []),
          ...(payment.withholding
            ? [
                [t('payments.withheld_on'), format.dayTable(payment.withholding.on)] as const,
                [t('payments.certificate'), payment.withholding.certificate || '–'] as const,
              ]
            : []),
          ...(payment.note === '' ? [] : [[t('payments.note'), payment.note] as const]),
          [
            t('payments.transfer_reference'),
            <Typography key="reference" component="span" variant="mono">
              {payment.reference}
            </Typography>,
          ],
          ...(payment.providerReference === null
            ? []
            : [
                [
                  t('payments.provider_reference'),
                  <Typography
                    key="provider"
                    component="span"
                    variant="mono"
                    sx={{ overflowWrap: 'anywhere' }}
                  >
                    {payment.providerReference}
                  </Typography>,
                ] as const,
              ]),
        ]}
      />
      {payment.disputes.length > 0 && <DisputeList disputes={payment.disputes} />}
      {payment.withholding ? (
        payment.state === 'succeeded' && (
          <Button
            variant="outlined"
            color="error"
            aria-haspopup="dialog"
            onClick={() => setIsTakingBack(true)}
            sx={{ alignSelf: 'flex-start' }}
          >
            {t('payments.take_back')}
          </Button>
        )
      ) : (
        <Box component="section">
          <Stack
            direction="row"
            sx={{ alignItems: 'center', justifyContent: 'space-between', marginBottom: 1 }}
          >
            <Typography variant="h3">{t('payments.refunds')}</Typography>
            {refundable && refundable.minor > 0n && (
              <Button
                variant="outlined"
                size="small"
                startIcon={<ReplayOutlined />}
                aria-haspopup="dialog"
                onClick={() => setIsRefunding(true)}
              >
                {t('payments.refund')}
              </Button>
            )}
          </Stack>
          <RefundList payment={payment} />
        </Box>
      )}
      <PanelPart title={t('payments.steps')}>
        <Steps steps={payment.steps} />
      </PanelPart>
      {isRefunding && refundable && (
        <RefundDialog payment={payment} left={refundable} onClose={() => setIsRefunding(false)} />
      )}
      {isTakingBack && <TakeBackWithholding payment={payment} onClose={() => setIsTakingBack(false)} />}
    </Stack>
  );
}

function Steps({ steps }: { steps: readonly PaymentStep[] }) {
  const { t } = useTranslation('payments');
  const words = (step: PaymentStep): string => {
    switch (step.kind) {
      case 'created':
        return t('payments.step_created');
      case 'refund':
        return t('payments.step_asked_refund');
      case 'settled':
        return step.outcome === 'mismatch'
          ? t('payments.step_settled_mismatch')
          : step.outcome === 'succeeded'
            ? t('payments.step_settled_succeeded')
            : t('payments.step_settled_failed');
      case 'refused':
        return t(
          step.outcome === 'dispute'
            ? 'payments.step_refused_dispute'
            : step.outcome === 'refund'
              ? 'payments.step_refused_refund'
              : 'payments.step_refused',
        );
      default:
        // used as: 'payments.step_payment_*', 'payments.step_refund_*', 'payments.step_dispute_*'
        return t(
          `payments.step_${step.outcome as `dispute_${Dispute['state']}` | 'payment_instructed' | 'payment_processing' | 'payment_succeeded' | 'payment_failed' | 'refund_pending' | 'refund_succeeded' | 'refund_failed'}`,
        );
    }
  };
  return (
    <Timeline>
      {steps.map((step, index) => (
        <TimelineStep key={`${step.kind}-${index}`}>
          <Stack direction="row" sx={{ gap: 1, justifyContent: 'space-between', fontSize: '0.875rem' }}>
            <span>{words(step)}</span>
            {step.amount && <Money amount={step.amount} />}
          </Stack>
          <Typography variant="caption" component="p" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            <Moment at={step.at} as="dateTime" />
            {step.reference !== null && ` · ${step.reference}`}
          </Typography>
        </TimelineStep>
      ))}
    </Timeline>
  );
}
