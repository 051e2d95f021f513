// The account for a bank transfer and the reference that it must contain to be matched.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { Payment } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { paymentsQueries } from './api.ts';

export function TransferDetails({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const { t } = useTranslation('payments');
  const copied = (text: string, label: string) => (
    <Stack direction="row" component="span" sx={{ alignItems: 'center', gap: 0.5 }}>
      <Typography component="span" variant="mono">
        {text}
      </Typography>
      <CopyButton text={text} label={label} />
    </Stack>
  );
  return (
    <Stack sx={{ gap: 2, paddingBottom: 1 }}>
      <Alert severity="info" role="status">
        {t('payments.transfer_lead')}
      </Alert>
      <QueryState query={useQuery(paymentsQueries.paymentOptions())} skeleton={<Lines count={5} />}>
        {({ bankAccount }) => (
          <Facts
            items={[
              [t('payments.amount'), <Money key="amount" amount={payment.amount} strong />],
              [t('payments.transfer_reference'), copied(payment.reference, t('payments.copy_reference'))],
              ...(bankAccount
                ? [
                    [t('payments.bank'), bankAccount.bank] as const,
                    [t('payments.bank_holder'), bankAccount.holder] as const,
                    [
                      t('payments.bank_number'),
                      copied(bankAccount.account, t('payments.copy_account')),
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
      <Stack direction="row" sx={{ justifyContent: 'flex-end' }}>
        <Button variant="contained" autoFocus onClick={onClose}>
          {t('payments.done')}
        </Button>
      </Stack>
    </Stack>
  );
}
