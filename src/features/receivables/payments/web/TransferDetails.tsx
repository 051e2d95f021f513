// Where to send the money of a payment: the account for a bank transfer with the reference it must contain to
// be matched, or the virtual account or store code that a provider issued.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { Payment } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { paymentsQueries } from './api.ts';

export function TransferDetails({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const { t } = useTranslation('payments');
  return (
    <Stack sx={{ gap: 2, paddingBottom: 1 }}>
      {payment.instructions ? (
        <Instructions payment={payment} instructions={payment.instructions} />
      ) : (
        <BankTransfer payment={payment} />
      )}
      <Stack direction="row" sx={{ justifyContent: 'flex-end' }}>
        <Button variant="contained" autoFocus onClick={onClose}>
          {t('payments.done')}
        </Button>
      </Stack>
    </Stack>
  );
}

function Copied({ text, label }: { text: string; label: string }) {
  return (
    <Stack direction="row" component="span" sx={{ alignItems: 'center', gap: 0.5 }}>
      <Typography component="span" variant="mono">
        {text}
      </Typography>
      <CopyButton text={text} label={label} />
    </Stack>
  );
}

function Instructions({
  payment,
  instructions: { bank, number, expiresAt },
}: {
  payment: Payment;
  instructions: NonNullable<Payment['instructions']>;
}) {
  const { t } = useTranslation('payments');
  return (
    <>
      <Alert severity="info" role="status">
        {bank === null ? t('payments.code_store_lead') : t('payments.code_account_lead')}
      </Alert>
      <Facts
        items={[
          [t('payments.amount'), <Money key="amount" amount={payment.amount} strong />],
          ...(bank === null
            ? [
                [
                  t('payments.code_store_number'),
                  <Copied key="number" text={number} label={t('payments.copy_code')} />,
                ] as const,
              ]
            : [
                [t('payments.code_bank'), bank] as const,
                [
                  t('payments.code_account_number'),
                  <Copied key="number" text={number} label={t('payments.copy_account')} />,
                ] as const,
              ]),
          [t('payments.code_expires'), <Moment key="expires" at={expiresAt} as="dateTime" />],
        ]}
      />
    </>
  );
}

function BankTransfer({ payment }: { payment: Payment }) {
  const { t } = useTranslation('payments');
  return (
    <>
      <Alert severity="info" role="status">
        {t('payments.transfer_lead')}
      </Alert>
      <QueryState query={useQuery(paymentsQueries.paymentOptions())} skeleton={<Lines count={5} />}>
        {({ bankAccount }) => (
          <Facts
            items={[
              [t('payments.amount'), <Money key="amount" amount={payment.amount} strong />],
              [
                t('payments.transfer_reference'),
                <Copied key="reference" text={payment.reference} label={t('payments.copy_reference')} />,
              ],
              ...(bankAccount
                ? [
                    [t('payments.bank'), bankAccount.bank] as const,
                    [t('payments.bank_holder'), bankAccount.holder] as const,
                    [
                      t('payments.bank_number'),
                      <Copied key="account" text={bankAccount.account} label={t('payments.copy_account')} />,
                    ] as const,
                    ...(bankAccount.note === ''
                      ? []
                      : [[t('payments.bank_note'), bankAccount.note] as const]),
                  ]
                : []),
            ]}
          />
        )}
      </QueryState>
    </>
  );
}
