// The account to which customers send bank transfers; an Admin enters it.
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { BankAccount } from '../contract.ts';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { paymentsApi, paymentsKey, paymentsQueries } from './api.ts';

export function BankAccountSection() {
  const { t } = useTranslation('payments');
  return (
    <Section title={t('payments.bank_title')} lead={t('payments.bank_lead')}>
      <QueryState query={useQuery(paymentsQueries.bankAccount())} skeleton={<Lines count={4} />}>
        {(account) => <AccountForm key={JSON.stringify(account)} account={account} />}
      </QueryState>
    </Section>
  );
}

function AccountForm({ account }: { account: BankAccount }) {
  const { t } = useTranslation('payments');
  const form = useZodForm(BankAccount, account);
  const save = useCall(paymentsApi.setBankAccount, {
    invalidates: [paymentsKey()],
    onSuccess: () => toast.success(t('payments.bank_saved')),
  });
  return (
    <Box sx={{ maxWidth: 720 }}>
      <Form form={form} onSubmit={(values) => save.mutateAsync(values)} label={t('payments.bank_title')}>
        <Box sx={pairs}>
          <TextField form={form} name="bank" label={t('payments.bank')} />
          <TextField form={form} name="holder" label={t('payments.bank_holder')} />
          <TextField form={form} name="account" label={t('payments.bank_number')} />
          <TextField form={form} name="note" label={t('payments.bank_note')} />
        </Box>
        <Box>
          <SubmitButton form={form}>{t('payments.bank_save')}</SubmitButton>
        </Box>
      </Form>
    </Box>
  );
}
