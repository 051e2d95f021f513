// Decides who pays for one resource.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import type { Payer, Resource } from '../contract.ts';
import { connectorsApi, connectorsKey } from './api.ts';
import { PayerPicker } from './PayerPicker.tsx';

const kinds = ['subscription', 'ignored', 'rules'] as const;
type Kind = (typeof kinds)[number];

export function AssignDialog({
  connectorId,
  resource,
  onClose,
}: {
  connectorId: Id<'con'>;
  resource: Resource;
  onClose: () => void;
}) {
  const { t } = useTranslation('connectors');
  const [kind, setKind] = useState<Kind>('subscription');
  const [payer, setPayer] = useState<Payer | null>(resource.subscription);
  const assign = useCall(connectorsApi.assignResource, {
    invalidates: [connectorsKey()],
    onSuccess: () => {
      toast.success(t('connectors.assigned'));
      onClose();
    },
  });
  const isReady = kind !== 'subscription' || payer !== null;
  const save = () => {
    const to =
      kind === 'subscription' ? payer && ({ kind, subscriptionId: payer.id } as const) : ({ kind } as const);
    if (to) assign.mutate({ connectorId, resource: resource.id, to });
  };
  return (
    <Modal
      open
      width="sm"
      title={t('connectors.assign_title', { resource: resource.id })}
      onClose={assign.isPending ? undefined : onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={assign.isPending}>
            {t('ui.cancel')}
          </Button>
          <Button variant="contained" disabled={!isReady} loading={assign.isPending} onClick={save}>
            {t('ui.save')}
          </Button>
        </>
      }
    >
      <Stack sx={{ gap: 2, paddingBlock: 1 }}>
        <SelectBox
          label={t('connectors.assign_to')}
          value={kind}
          // used as: 'connectors.assign_*'
          options={kinds.map((value) => ({ value, label: t(`connectors.assign_${value}`) }))}
          onChange={setKind}
          fullWidth
        />
        {kind === 'subscription' && <PayerPicker value={payer} onChange={setPayer} />}
        <div>
          <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 1 }}>
            {t('connectors.what_source_says')}
          </Typography>
          <CodeBlock code={JSON.stringify(JSON.parse(resource.fields), null, 2)} label={t('ui.copy')} />
        </div>
      </Stack>
    </Modal>
  );
}
