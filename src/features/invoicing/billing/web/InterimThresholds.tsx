// The amounts of unbilled usage at which interim bills are issued, with buttons that set and remove them.
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { AmountDialog } from './AmountDialog.tsx';
import { AmountList } from './AmountList.tsx';
import { billingApi, billingKey, billingQueries } from './api.ts';

export function InterimThresholds() {
  const { t } = useTranslation('billing');
  const state = useTableState({ sort: 'organization', prefix: 'interim-' });
  const query = usePagedQuery(billingQueries.listInterimThresholds(state.query));
  const invalidates = [billingKey('listInterimThresholds')];
  const save = useCall(billingApi.setInterimThreshold, {
    invalidates,
    onSuccess: () => toast.success(t('billing.interim_saved')),
  });
  const remove = useCall(billingApi.removeInterimThreshold, {
    invalidates,
    onSuccess: () => toast.success(t('billing.interim_removed')),
  });
  const words = {
    appliesTo: t('billing.interim_for'),
    everyone: t('billing.interim_everyone'),
    never: t('billing.interim_never'),
    currency: t('billing.interim_currency'),
    amount: t('billing.interim_amount'),
  };
  return (
    <AmountList
      list="interim-thresholds"
      state={state}
      query={query}
      words={{
        ...words,
        title: t('billing.interim_title'),
        lead: t('billing.interim_lead'),
        set: t('billing.interim_set'),
        edit: t('billing.interim_edit'),
        search: t('billing.interim_search'),
        empty: t('billing.interim_empty'),
        emptyHint: t('billing.interim_empty_hint'),
        setAt: t('billing.interim_set_at'),
        setBy: t('billing.interim_set_by'),
        remove: t('billing.interim_remove'),
        removeTitle: (name) => t('billing.interim_remove_title', { name }),
        removeText: t('billing.interim_remove_text'),
      }}
      onRemove={({ id }) => remove.mutateAsync({ thresholdId: id })}
      dialog={(current, onClose) => (
        <AmountDialog
          current={current}
          words={{
            ...words,
            title: t(current ? 'billing.interim_edit' : 'billing.interim_set'),
            one: t('billing.interim_one'),
            organization: t('billing.interim_organization'),
            rule: t('billing.interim_rule'),
            toAmount: t('billing.interim_from_amount'),
            neverHelp: t('billing.interim_never_help'),
            amountHelp: t('billing.interim_amount_help'),
            save: t('billing.interim_save'),
            notPositive: 'billing.threshold_not_positive',
          }}
          onSave={save.mutateAsync}
          onClose={onClose}
        />
      )}
    />
  );
}
