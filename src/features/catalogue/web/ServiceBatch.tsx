// Activating, deactivating or deleting services: what touches customers and what is many after a question, the rest with a way back.
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useState, type ReactNode } from 'react';
import type { Out } from '#kernel/contract.ts';
import { useCall } from '#platform/web/queries.ts';
import { toast } from '#platform/web/toasts.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { useFormat } from '#platform/web/use-format.ts';
import type { catalogue, Service } from '#features/catalogue/contract.ts';
import { catalogueApi, catalogueKey } from './api.ts';
import { BatchDialog } from './BatchDialog.tsx';
import type { Batch, BatchAction } from './service-form.ts';
import { useCatalogueTexts } from './texts.ts';

type Result = Out<typeof catalogue.batchServices>;

/** Up to so many appear without a question. */
const mostAtOnce = 10;
const opposite = { activate: 'deactivate', deactivate: 'activate' } as const;
const statusAfter = { activate: 'active', deactivate: 'inactive' } as const;

export type ServiceBatch = {
  /** Does it, or asks first. */
  readonly begin: (action: BatchAction, services: readonly Service[]) => void;
  /** Where questions and refusals appear. */
  readonly dialog: ReactNode;
};

/** `onDone` is called when something has changed: the selection has served its purpose. */
export function useServiceBatch(onDone: () => void): ServiceBatch {
  const [asking, setAsking] = useState<Batch>();
  const [refused, setRefused] = useState<{ readonly batch: Batch; readonly result: Result }>();
  const send = useSend();
  const run = async (batch: Batch): Promise<void> => {
    const result = await send(batch);
    onDone();
    if (result.refused.length > 0) setRefused({ batch, result });
  };
  return {
    begin: (action, services) => {
      const batch = { action, services };
      // One that goes out of sight comes back by a click; several may touch many customers.
      if (action === 'delete' || services.length > (action === 'activate' ? mostAtOnce : 1)) setAsking(batch);
      else run(batch).catch(toast.failure);
    },
    dialog: (
      <>
        {asking && <BatchDialog batch={asking} onConfirm={run} onClose={() => setAsking(undefined)} />}
        {refused && <ResultDialog {...refused} onClose={() => setRefused(undefined)} />}
      </>
    ),
  };
}

/** Sends a batch and says what it did; what can be taken back offers that. */
function useSend(): (batch: Batch) => Promise<Result> {
  const t = useCatalogueTexts();
  const format = useFormat();
  const call = useCall(catalogueApi.batchServices, { invalidates: [catalogueKey()] });
  // used as: 'catalogue.batch_*'
  const say = (how: BatchAction, count: number): string => t(`catalogue.batch_${how}_done`, { count: format.number(count) });
  return async ({ action, services }) => {
    const answer = await call.mutateAsync({ ids: services.map((service) => service.id), action });
    const changed = action === 'delete' ? [] : services.filter((service) => service.status !== statusAfter[action]).map((service) => service.id);
    const undo = action === 'delete' || changed.length === 0 ? undefined : {
      label: t('ui.undo'),
      onClick: () => call.mutate({ ids: changed, action: opposite[action] }, { onSuccess: () => toast.success(say(opposite[action], changed.length)), onError: toast.failure }),
    };
    if (answer.changed > 0) toast.success(say(action, answer.changed), undo);
    return answer;
  };
}

/** What was done and what was refused, with the reason for each. */
function ResultDialog({ batch, result, onClose }: { batch: Batch; result: Result; onClose: () => void }) {
  const t = useCatalogueTexts();
  const format = useFormat();
  const names = new Map(batch.services.map((service) => [service.id, service.name]));
  return (
    <Modal open title={t('catalogue.batch_result')} onClose={onClose} actions={<Button variant="contained" onClick={onClose}>{t('ui.done')}</Button>}>
      <Stack sx={{ gap: 2 }}>
        <Alert severity="warning">{t('catalogue.batch_refused', { done: format.number(result.changed), refused: format.number(result.refused.length) })}</Alert>
        <List dense disablePadding aria-label={t('catalogue.batch_refused_list')}>
          {result.refused.map((one) => <ListItem key={one.id} disableGutters><ListItemText primary={names.get(one.id) ?? one.id} secondary={one.message} slotProps={{ primary: { variant: 'body2' }, secondary: { variant: 'caption' } }} /></ListItem>)}
        </List>
      </Stack>
    </Modal>
  );
}
