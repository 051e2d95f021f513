// Sets who pays for unassigned cost: adds a rule to the source, based on one of the values that the cost has.
import { useState } from 'react';
import type { LocalDay } from '#kernel/shape.ts';
import { PayerDialog } from '#features/metering/connectors/web/parts.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import type { AssignRule, CostSource, Preview } from '../contract.ts';
import { costsApi, costsKey } from './api.ts';

type Account = Preview['periods'][number]['unassignedAccounts'][number];
type Choice = Pick<AssignRule, 'field' | 'tag' | 'value'>;
/** What is to be assigned: a whole account, or a part of it with a resource group and tags. */
export type Assigned = Pick<Account, 'by' | 'provider' | 'account' | 'subAccount' | 'subAccountName'> & {
  readonly part?: Account['scopes'][number];
};

/**
 * The values that a rule could use: for a part its tags and resource group first, for an account the account.
 */
function choicesOf({ by, part, ...owner }: Assigned): Choice[] {
  const fields = ['subAccount', 'provider', 'account', 'subAccountName'] as const;
  const ofAccount = fields
    .filter((field) => owner[field] !== '' && field !== by?.field)
    .map((field) => ({ field, tag: '', value: owner[field] }));
  const ofPart: Choice[] = part
    ? [
        ...Object.entries(part.tags)
          .filter(([, value]) => value !== '')
          .map(([tag, value]) => ({ field: 'tag' as const, tag, value })),
        ...(part.resourceGroup === ''
          ? []
          : [{ field: 'resourceGroup' as const, tag: '', value: part.resourceGroup }]),
      ]
    : [];
  return [...ofPart, ...(by ? [by] : []), ...ofAccount];
}

export function AssignDialog({
  source,
  assigned,
  periodStart,
  onClose,
}: {
  source: CostSource;
  assigned: Assigned;
  /** The billing period of the cost; a new subscription starts on its first day by default. */
  periodStart: LocalDay;
  onClose: () => void;
}) {
  const { t } = useTranslation('costs');
  const choices = choicesOf(assigned);
  const [chosen, setChosen] = useState('0');
  const assign = useCall(costsApi.assignCost, { invalidates: [costsKey()] });
  // used as: 'costs.field_*'
  const label = ({ field, tag, value }: Choice): string =>
    `${field === 'tag' ? `${t('costs.field_tag')} ${tag}` : t(`costs.field_${field}`)}: ${value}`;
  return (
    <PayerDialog
      title={t('costs.assign_title')}
      known={{ how: 'subscription', payer: null, startsOn: periodStart }}
      others={[{ value: 'nobody', label: t('costs.to_nobody') }]}
      before={
        <SelectBox
          label={t('costs.assign_by')}
          value={chosen}
          options={choices.map((each, place) => ({ value: String(place), label: label(each) }))}
          onChange={setChosen}
          fullWidth
        />
      }
      submitLabel={t('ui.save')}
      onSubmit={async (to) => {
        const by = choices[Number(chosen)];
        if (!by) return;
        await assign.mutateAsync({ sourceId: source.id, by, to });
        toast.success(t('costs.assigned_rule'));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
