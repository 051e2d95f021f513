// The bills that a reseller issued, each with what it paid for the same month, and the record of its payment.
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { subtractMoney } from '#kernel/money.ts';
import { day, optionalText, text, unsignedDecimal } from '#kernel/shape.ts';
import type { Id } from '#kernel/ids.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { PickerField } from '#platform/web/form/PickerField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { ResellerBillDetail } from '../contract.ts';
import { resellersApi, resellersKey, resellersQueries } from './api.ts';
import { BillList } from './BillList.tsx';
import { RetailBillContent } from './RetailBillPanel.tsx';

export function ResellerBills({ mayWrite }: { mayWrite: boolean }) {
  const { t } = useTranslation('resellers');
  const state = useTableState({ sort: '-issuedAt', prefix: 'bills-' });
  const query = usePagedQuery(resellersQueries.resellerBills(state.query));
  return (
    <BillList
      title={t('resellers.issued_bills')}
      state={state}
      query={query}
      searchLabel={t('resellers.search_bills')}
      hint={t('resellers.no_issued_hint')}
      columns={{
        afterNumber: [
          {
            key: 'organization',
            label: t('resellers.customer'),
            render: ({ organization }) => organization,
          },
        ],
        beforeTotal: [
          {
            key: 'wholesale',
            label: t('resellers.wholesale'),
            align: 'right',
            render: ({ wholesale }) => wholesale && <Money amount={wholesale} />,
          },
          {
            key: 'net',
            label: t('resellers.net'),
            align: 'right',
            render: ({ net }) => <Money amount={net} />,
          },
        ],
      }}
      bill={(id) => <OneBill id={id} mayWrite={mayWrite} />}
    />
  );
}

function OneBill({ id, mayWrite }: { id: Id<'rtb'>; mayWrite: boolean }) {
  const { t } = useTranslation('resellers');
  const [isNoting, setIsNoting] = useState(false);
  const [isCrediting, setIsCrediting] = useState(false);
  const note = useNote();
  return (
    <QueryState query={useQuery(resellersQueries.resellerBill({ retailBillId: id }))}>
      {(bill) => (
        <>
          <RetailBillContent
            bill={bill}
            actions={
              mayWrite && (
                <>
                  {bill.credited.minor < bill.total.minor && (
                    <Button variant="outlined" aria-haspopup="dialog" onClick={() => setIsCrediting(true)}>
                      {t('resellers.credit')}
                    </Button>
                  )}
                  {bill.paidOn === null ? (
                    <Button variant="contained" aria-haspopup="dialog" onClick={() => setIsNoting(true)}>
                      {t('resellers.mark_paid')}
                    </Button>
                  ) : (
                    <Button
                      variant="outlined"
                      loading={note.isPending}
                      onClick={() => note.mutate({ retailBillId: id, paidOn: null, note: '' })}
                    >
                      {t('resellers.mark_unpaid')}
                    </Button>
                  )}
                </>
              )
            }
          />
          {isCrediting && <CreditDialog bill={bill} onClose={() => setIsCrediting(false)} />}
          {isNoting && <PaidDialog bill={bill} onClose={() => setIsNoting(false)} />}
        </>
      )}
    </QueryState>
  );
}

const creditShape = z.strictObject({
  amount: z.union([unsignedDecimal, z.literal('')]),
  reason: text(300),
});

function CreditDialog({ bill, onClose }: { bill: ResellerBillDetail; onClose: () => void }) {
  const { t } = useTranslation('resellers');
  const format = useFormat();
  const form = useZodForm(creditShape, { amount: '', reason: '' });
  const credit = useCall(resellersApi.creditBill, {
    invalidates: [resellersKey()],
    onSuccess: () => toast.success(t('resellers.saved')),
  });
  const left = format.money(subtractMoney(bill.total, bill.credited));
  return (
    <FormDialog
      form={form}
      title={t('resellers.credit_of', { number: bill.number })}
      confirm={t('resellers.credit_confirm')}
      onClose={onClose}
      onSubmit={({ amount, reason }) =>
        credit.mutateAsync({ retailBillId: bill.id, amount: amount === '' ? null : amount, reason })
      }
    >
      <TextField
        form={form}
        name="amount"
        label={t('resellers.credit_amount')}
        help={t('resellers.credit_amount_help', { left })}
        inputMode="decimal"
        end={bill.currency}
      />
      <TextField
        form={form}
        name="reason"
        label={t('resellers.credit_reason')}
        help={t('resellers.credit_reason_help')}
        required
      />
    </FormDialog>
  );
}

function useNote() {
  const { t } = useTranslation('resellers');
  return useCall(resellersApi.notePayment, {
    invalidates: [resellersKey()],
    onSuccess: () => toast.success(t('resellers.saved')),
  });
}

/** A date field contains text until it is a valid day. */
const shape = z.strictObject({ paidOn: z.pipe(z.string(), day), note: optionalText(500) });

function PaidDialog({ bill, onClose }: { bill: ResellerBillDetail; onClose: () => void }) {
  const { t } = useTranslation('resellers');
  const form = useZodForm(shape, { paidOn: '', note: '' });
  const note = useNote();
  return (
    <FormDialog
      form={form}
      title={t('resellers.mark_paid')}
      confirm={t('resellers.mark_paid')}
      onClose={onClose}
      onSubmit={(asked) => note.mutateAsync({ retailBillId: bill.id, ...asked })}
    >
      <PickerField form={form} name="paidOn" type="date" label={t('resellers.paid_on')} required />
      <TextField form={form} name="note" label={t('resellers.note')} help={t('resellers.note_help')} />
    </FormDialog>
  );
}
