// Dialogs that approve, reject or withdraw a one-off; each repeats the organization and the amount.
import { inLanguage } from '#kernel/language.ts';
import { ReasonDialog } from '#platform/web/form/ReasonDialog.tsx';
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

export function RejectDialog({ oneOff, onClose }: DecideProps) {
  const { t } = useTranslation('oneoffs');
  const params = useParams(oneOff);
  const reject = useCall(oneOffsApi.rejectOneOff, {
    invalidates,
    onSuccess: () => toast.success(t('oneoffs.rejected_done', params)),
  });
  return (
    <ReasonDialog
      role="alertdialog"
      title={t('oneoffs.reject_ask', params)}
      label={t('oneoffs.reject')}
      confirm={t('oneoffs.reject_amount', params)}
      color="error"
      lead={<ShortFacts oneOff={oneOff} />}
      field={{ label: t('oneoffs.reason'), help: t('oneoffs.reject_reason_help'), max: 500 }}
      onReason={(reason) => reject.mutateAsync({ oneOffId: oneOff.id, reason })}
      onClose={onClose}
    />
  );
}

export function WithdrawDialog({ oneOff, onClose }: DecideProps) {
  const { t } = useTranslation('oneoffs');
  const params = useParams(oneOff);
  const withdraw = useCall(oneOffsApi.withdrawOneOff, {
    invalidates,
    onSuccess: () => toast.success(t('oneoffs.withdrawn_done', params)),
  });
  return (
    <ReasonDialog
      role="alertdialog"
      title={t('oneoffs.withdraw_ask', params)}
      label={t('oneoffs.withdraw')}
      confirm={t('oneoffs.withdraw_amount', params)}
      color="error"
      lead={<ShortFacts oneOff={oneOff} />}
      field={{ label: t('oneoffs.reason'), help: t('oneoffs.withdraw_help'), max: 500, required: false }}
      onReason={(reason) => withdraw.mutateAsync({ oneOffId: oneOff.id, ...(reason !== '' && { reason }) })}
      onClose={onClose}
    />
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
        [t('oneoffs.column_chargeOn'), format.dayTable(oneOff.chargeOn)],
        [t('oneoffs.column_createdBy'), oneOff.createdBy.name],
        ...(oneOff.note === '' ? [] : [[t('oneoffs.column_note'), oneOff.note] as const]),
      ]}
    />
  );
}
