// The credit limits in force, with buttons that set and remove them.
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { AmountList } from '#features/invoicing/billing/web/parts.ts';
import { creditLimitsApi, creditLimitsKey, creditLimitsQueries } from './api.ts';
import { LimitDialog } from './LimitDialog.tsx';

export function AdminCreditLimits() {
  const { t } = useTranslation('creditlimits');
  const state = useTableState({ sort: 'organization', prefix: 'limits-' });
  const query = usePagedQuery(creditLimitsQueries.listCreditLimits(state.query));
  const remove = useCall(creditLimitsApi.removeCreditLimit, {
    invalidates: [creditLimitsKey()],
    onSuccess: () => toast.success(t('creditlimits.removed')),
  });
  return (
    <AmountList
      list="credit-limits"
      state={state}
      query={query}
      words={{
        appliesTo: t('creditlimits.for'),
        everyone: t('creditlimits.everyone'),
        never: t('creditlimits.never'),
        currency: t('creditlimits.currency'),
        amount: t('creditlimits.amount'),
        title: t('creditlimits.list_title'),
        lead: t('creditlimits.list_lead'),
        set: t('creditlimits.set'),
        edit: t('creditlimits.edit'),
        search: t('creditlimits.search'),
        empty: t('creditlimits.empty'),
        emptyHint: t('creditlimits.empty_hint'),
        setAt: t('creditlimits.set_at'),
        setBy: t('creditlimits.set_by'),
        remove: t('creditlimits.remove'),
        removeTitle: (name) => t('creditlimits.remove_title', { name }),
        removeText: t('creditlimits.remove_text'),
      }}
      onRemove={({ id }) => remove.mutateAsync({ limitId: id })}
      dialog={(limit, onClose) => <LimitDialog limit={limit} onClose={onClose} />}
    />
  );
}
