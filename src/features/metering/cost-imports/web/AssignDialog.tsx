// Decides who pays for cost that belongs to nobody: adds a rule to the source, by one of the values that the cost has.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import { PayerPicker } from '#features/metering/connectors/web/parts.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import type { AssignRule, CostSource, Preview } from '../contract.ts';
import { costsApi, costsKey } from './api.ts';

export type PreviewedScope = Preview['periods'][number]['unassignedScopes'][number];
type Payer = { readonly id: Id<'sub'>; readonly name: string; readonly organization: string };
type Choice = Pick<AssignRule, 'field' | 'tag' | 'value'>;

/** What a rule could go by, the narrowest common ones first. */
function choicesOf(scope: PreviewedScope): Choice[] {
  const fields = ['subAccount', 'provider', 'account', 'subAccountName', 'resourceGroup'] as const;
  return [
    ...fields
      .filter((field) => scope[field] !== '')
      .map((field) => ({ field, tag: '', value: scope[field] })),
    ...Object.entries(scope.tags)
      .filter(([, value]) => value !== '')
      .map(([tag, value]) => ({ field: 'tag' as const, tag, value })),
  ];
}

export function AssignDialog({
  source,
  scope,
  onClose,
}: {
  source: CostSource;
  scope: PreviewedScope;
  onClose: () => void;
}) {
  const { t } = useTranslation('costs');
  const choices = choicesOf(scope);
  const [chosen, setChosen] = useState('0');
  const [to, setTo] = useState<'subscription' | 'nobody'>('subscription');
  const [payer, setPayer] = useState<Payer | null>(null);
  const update = useCall(costsApi.updateCostSource, {
    invalidates: [costsKey()],
    onSuccess: () => {
      toast.success(t('costs.assigned_rule'));
      onClose();
    },
    onError: toast.failure,
  });
  const choice = choices[Number(chosen)];
  const isReady = choice !== undefined && (to === 'nobody' || payer !== null);
  const save = () => {
    if (!choice) return;
    const subscriptionId = to === 'nobody' ? null : (payer?.id ?? null);
    update.mutate({
      sourceId: source.id,
      version: source.version,
      rules: [...source.rules, { ...choice, subscriptionId }],
    });
  };
  // used as: 'costs.field_*', 'costs.to_*'
  const label = ({ field, tag, value }: Choice): string =>
    `${field === 'tag' ? `${t('costs.field_tag')} ${tag}` : t(`costs.field_${field}`)}: ${value}`;
  return (
    <Modal
      open
      width="sm"
      title={t('costs.assign_title')}
      onClose={update.isPending ? undefined : onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={update.isPending}>
            {t('ui.cancel')}
          </Button>
          <Button variant="contained" disabled={!isReady} loading={update.isPending} onClick={save}>
            {t('ui.save')}
          </Button>
        </>
      }
    >
      <Stack sx={{ gap: 2, paddingBlock: 1 }}>
        <SelectBox
          label={t('costs.assign_by')}
          value={chosen}
          options={choices.map((each, place) => ({ value: String(place), label: label(each) }))}
          onChange={setChosen}
          fullWidth
        />
        <SelectBox
          label={t('costs.rule_to')}
          value={to}
          options={(['subscription', 'nobody'] as const).map((value) => ({
            value,
            label: t(`costs.to_${value}`),
          }))}
          onChange={setTo}
          fullWidth
        />
        {to === 'subscription' && <PayerPicker value={payer} onChange={setPayer} />}
      </Stack>
    </Modal>
  );
}
