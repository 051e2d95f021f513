// Sets the maximum outstanding amount, for all organizations or for one.
import type { Id } from '#kernel/ids.ts';
import type { Money } from '#kernel/money.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { AmountDialog } from '#features/invoicing/billing/web/parts.ts';
import type { CreditLimit } from '../contract.ts';
import { creditLimitsApi, creditLimitsKey } from './api.ts';

type LimitDialogProps = {
  /** The limit to change. */
  readonly limit?: CreditLimit | undefined;
  /** The organization whose limit is set, and its limit in force; undefined to choose one. */
  readonly of?: { readonly organizationId: Id<'org'>; readonly amount: Money | undefined };
  readonly onClose: () => void;
};

export function LimitDialog({ limit, of, onClose }: LimitDialogProps) {
  const { t } = useTranslation('creditlimits');
  const save = useCall(creditLimitsApi.setCreditLimit, {
    invalidates: [creditLimitsKey()],
    onSuccess: () => toast.success(t('creditlimits.saved')),
  });
  return (
    <AmountDialog
      current={limit}
      of={of}
      words={{
        title: limit
          ? t('creditlimits.edit_of', { name: limit.organization ?? t('creditlimits.everyone') })
          : t('creditlimits.set'),
        appliesTo: t('creditlimits.for'),
        everyone: t('creditlimits.everyone'),
        one: t('creditlimits.one'),
        organization: t('creditlimits.organization'),
        rule: t('creditlimits.rule'),
        toAmount: t('creditlimits.up_to_amount'),
        never: t('creditlimits.never'),
        neverHelp: t('creditlimits.never_help'),
        currency: t('creditlimits.currency'),
        amount: t('creditlimits.amount'),
        amountHelp: t('creditlimits.amount_help'),
        save: t('creditlimits.save'),
        notPositive: 'creditlimits.not_positive',
      }}
      onSave={save.mutateAsync}
      onClose={onClose}
    />
  );
}
