// Dialogs that approve, reject or withdraw a one-off; each repeats whom it charges and how much.
import { inLanguage } from '#kernel/language.ts';
import * as z from 'zod/mini';
import { optionalText, text } from '#kernel/shape.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { OneOff } from '../contract.ts';
import { oneOffsApi, oneOffsKey } from './api.ts';

export type Deciding = { readonly step: 'approve' | 'reject' | 'withdraw'; readonly oneOff: OneOff };
type DecideProps = { readonly oneOff: OneOff; readonly onClose: () => void };
const invalidates = [oneOffsKey()];

const useParams = ({ name, amount }: OneOff) => {
  const language = useLanguage();
  const format = useFormat();
  return { name: inLanguage(name, language), amount: format.money(amount) };
};

export function ApproveDialog({ oneOff, onClose }: DecideProps) {
  const { t } = useTranslation('oneoffs');
  const params = useParams(oneOff);
  const approve = useCall(oneOffsApi.approveOneOff, {
    invalidates,
    onSuccess: () => toast.success(t('oneoffs.approved_done', params)),
  });
  return (
    <ConfirmDialog
      open
      title={t('oneoffs.approve_ask', params)}
      consequences={[
        t(oneOff.billing === 'own_bill' ? 'oneoffs.approve_own_bill' : 'oneoffs.approve_next_bill'),
      ]}
      confirmLabel={t('oneoffs.approve_amount', params)}
      onConfirm={() => approve.mutateAsync({ oneOffId: oneOff.id })}
      onClose={onClose}
    >
      <ShortFacts oneOff={oneOff} />
    </ConfirmDialog>
  );
}

const reasonShape = z.strictObject({ reason: text(500) });
const optionalReasonShape = z.strictObject({ reason: optionalText(500) });

export function RejectDialog({ oneOff, onClose }: DecideProps) {
  const { t } = useTranslation('oneoffs');
  const params = useParams(oneOff);
  const form = useZodForm(reasonShape, { reason: '' });
  const reject = useCall(oneOffsApi.rejectOneOff, {
    invalidates,
    onSuccess: () => toast.success(t('oneoffs.rejected_done', params)),
  });
  const submit = async ({ reason }: z.output<typeof reasonShape>) => {
    await reject.mutateAsync({ oneOffId: oneOff.id, reason });
  };
  return (
    <FormDialog
      form={form}
      role="alertdialog"
      title={t('oneoffs.reject_ask', params)}
      label={t('oneoffs.reject')}
      confirm={t('oneoffs.reject_amount', params)}
      color="error"
      lead={<ShortFacts oneOff={oneOff} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="reason"
        label={t('oneoffs.reason')}
        help={t('oneoffs.reject_reason_help')}
        rows={2}
        required
        autoFocus
      />
    </FormDialog>
  );
}

export function WithdrawDialog({ oneOff, onClose }: DecideProps) {
  const { t } = useTranslation('oneoffs');
  const params = useParams(oneOff);
  const form = useZodForm(optionalReasonShape, { reason: '' });
  const withdraw = useCall(oneOffsApi.withdrawOneOff, {
    invalidates,
    onSuccess: () => toast.success(t('oneoffs.withdrawn_done', params)),
  });
  const submit = async ({ reason }: z.output<typeof optionalReasonShape>) => {
    await withdraw.mutateAsync({ oneOffId: oneOff.id, ...(reason !== '' && { reason }) });
  };
  return (
    <FormDialog
      form={form}
      role="alertdialog"
      title={t('oneoffs.withdraw_ask', params)}
      label={t('oneoffs.withdraw')}
      confirm={t('oneoffs.withdraw_amount', params)}
      color="error"
      lead={<ShortFacts oneOff={oneOff} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="reason"
        label={t('oneoffs.reason')}
        help={t('oneoffs.withdraw_help')}
        rows={2}
        autoFocus
      />
    </FormDialog>
  );
}

function ShortFacts({ oneOff }: { oneOff: OneOff }) {
  const { t } = useTranslation('oneoffs');
  const format = useFormat();
  return (
    <Facts
      items={[
        [t('oneoffs.column_organization'), oneOff.organization],
        [t('oneoffs.column_amount'), <Money key="amount" amount={oneOff.amount} strong />],
        [t('oneoffs.column_chargeOn'), format.day(oneOff.chargeOn)],
        [t('oneoffs.column_createdBy'), oneOff.createdBy.name],
        ...(oneOff.note === '' ? [] : [[t('oneoffs.column_note'), oneOff.note] as const]),
      ]}
    />
  );
}
