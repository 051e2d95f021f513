// A reseller's customers, each with its current month at both prices, and the dialog that adds one.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import * as z from 'zod/mini';
import { text } from '#kernel/shape.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { DialogForm } from '#platform/web/form/DialogForm.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { DialogButtons } from '#platform/web/ui/DialogButtons.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { Secret } from '#platform/web/ui/Secret.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { Margin, Reseller, ResoldCustomer } from '../contract.ts';
import { CustomerServices } from './CustomerServices.tsx';
import { resellersApi, resellersKey, resellersQueries } from './api.ts';

const figures = (
  { running }: ResoldCustomer,
  part: keyof Pick<Margin, 'retail' | 'wholesale' | 'margin'>,
) => (
  <Stack>
    {running.map((each) => (
      <Money key={each.currency} amount={each[part]} />
    ))}
  </Stack>
);

export function CustomerList({ reseller, mayWrite }: { reseller: Reseller; mayWrite: boolean }) {
  const { t } = useTranslation('resellers');
  const format = useFormat();
  const [isAdding, setIsAdding] = useState(false);
  const [shown, setShown] = useState<ResoldCustomer>();
  const state = useTableState({ sort: 'organization', prefix: 'customers-' });
  useLive('usage', [resellersKey('listCustomers')]);
  const query = usePagedQuery(resellersQueries.listCustomers(state.query));
  return (
    <>
      <DataTable
        label={t('resellers.customers')}
        title={t('resellers.customers')}
        lead={t('resellers.customers_lead')}
        actions={
          mayWrite && reseller.stoppedAt === null ? (
            <AddButton onClick={() => setIsAdding(true)}>{t('resellers.add_customer')}</AddButton>
          ) : undefined
        }
        columns={[
          {
            key: 'organization',
            label: t('resellers.customer'),
            card: 'title',
            sortable: true,
            render: ({ name }) => name,
          },
          {
            key: 'month',
            label: t('resellers.month'),
            render: ({ month, from, state: stage }) =>
              stage === 'planned'
                ? t('resellers.from_month', { month: format.month(from) })
                : format.month(month),
          },
          {
            key: 'retail',
            label: t('resellers.retail'),
            align: 'right',
            render: (each) => figures(each, 'retail'),
          },
          {
            key: 'wholesale',
            label: t('resellers.wholesale'),
            align: 'right',
            render: (each) => figures(each, 'wholesale'),
          },
          {
            key: 'margin',
            label: t('resellers.margin'),
            align: 'right',
            render: (each) => figures(each, 'margin'),
          },
        ]}
        query={query}
        state={state}
        rowKey={({ id }) => id}
        onRowClick={setShown}
        rowName={({ name }) => name}
        searchLabel={t('resellers.search_customers')}
        empty={
          <EmptyState compact title={t('resellers.no_customers')} hint={t('resellers.no_customers_hint')} />
        }
      />
      {shown && <CustomerServices customer={shown} mayWrite={mayWrite} onClose={() => setShown(undefined)} />}
      {isAdding && <AddCustomer onClose={() => setIsAdding(false)} />}
    </>
  );
}

const shape = z.strictObject({ name: text(120), email: z.email() });

function AddCustomer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('resellers');
  const form = useZodForm(shape, { name: '', email: '' });
  const add = useCall(resellersApi.addCustomer, { invalidates: [resellersKey()] });
  const isBusy = form.formState.isSubmitting;
  return (
    <Modal open width="xs" title={t('resellers.add_customer')} onClose={isBusy ? undefined : onClose}>
      {add.data ? (
        <Stack sx={{ gap: 2 }}>
          <Typography variant="body2">
            {t(add.data.mailed ? 'resellers.invited' : 'resellers.invited_by_link')}
          </Typography>
          <Secret text={add.data.link} label={t('resellers.copy_link')} />
          <DialogButtons>
            <Button variant="contained" onClick={onClose}>
              {t('ui.close')}
            </Button>
          </DialogButtons>
        </Stack>
      ) : (
        <DialogForm
          form={form}
          label={t('resellers.add_customer')}
          confirm={t('resellers.add_customer')}
          onSubmit={(asked) => add.mutateAsync(asked)}
          onClose={onClose}
        >
          <TextField form={form} name="name" label={t('resellers.customer_name')} required autoFocus />
          <TextField
            form={form}
            name="email"
            type="email"
            label={t('resellers.first_user')}
            help={t('resellers.first_user_help')}
            required
          />
        </DialogForm>
      )}
    </Modal>
  );
}
