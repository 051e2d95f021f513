// Activates, deactivates or deletes services: a few immediately with undo; many, or a deletion, after
// confirmation.
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import type { Out } from '#kernel/contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { countOf } from '#platform/web/ui/use-chosen-rows.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { metersKey } from '#features/selling/meters/web/parts.ts';
import type { catalogue } from '../contract.ts';
import { catalogueApi, catalogueKey } from './api.ts';
import { BatchDialog } from './BatchDialog.tsx';
import { wireOf, type Batch, type BatchAction, type Services } from './service-form.ts';

type Result = Out<typeof catalogue.batchServices>;

/** Up to this many services are changed without confirmation, because the change can be undone. */
const maxUnconfirmed = 10;
const opposite = { activate: 'deactivate', deactivate: 'activate' } as const;

export type ServiceBatch = {
  /** Runs the batch, or asks for confirmation first. */
  readonly begin: (action: BatchAction, selection: Services) => void;
  /** Where confirmations and rejections appear. */
  readonly dialog: ReactNode;
};

/** `onDone` is called after a change, to clear the selection. */
export function useServiceBatch(onDone: () => void): ServiceBatch {
  const [asking, setAsking] = useState<Batch>();
  const [refused, setRefused] = useState<Result>();
  const send = useSend();
  const run = async (batch: Batch): Promise<void> => {
    const result = await send(batch);
    onDone();
    if (result.refusedCount > 0) setRefused(result);
  };
  return {
    begin: (action, selection) => {
      const isLight = action !== 'delete' && 'rows' in selection && countOf(selection) <= maxUnconfirmed;
      if (isLight) run({ action, selection }).catch(toast.failure);
      else setAsking({ action, selection });
    },
    dialog: (
      <>
        {asking && <BatchDialog batch={asking} onConfirm={run} onClose={() => setAsking(undefined)} />}
        {refused && <ResultDialog result={refused} onClose={() => setRefused(undefined)} />}
      </>
    ),
  };
}

/** Sends a batch and shows its result, with undo if possible. */
function useSend(): (batch: Batch) => Promise<Result> {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const call = useCall(catalogueApi.batchServices, { invalidates: [catalogueKey(), metersKey()] });
  // used as: 'catalogue.batch_*'
  const doneText = (action: BatchAction, count: number): string =>
    t(`catalogue.batch_${action}_done`, { count: format.number(count) });
  return async (batch) => {
    const { action } = batch;
    const answer = await call.mutateAsync(wireOf(batch));
    const { changed, changedIds } = answer;
    // Undo applies to the services that changed, not to all chosen ones, because some already had the state.
    const undo =
      action === 'delete' || changedIds.length < changed
        ? undefined
        : {
            label: t('ui.undo'),
            onClick: () =>
              call.mutate(
                { ids: changedIds, action: opposite[action] },
                {
                  onSuccess: (back) => toast.success(doneText(opposite[action], back.changed)),
                  onError: toast.failure,
                },
              ),
          };
    if (changed > 0) toast.success(doneText(action, changed), undo);
    return answer;
  };
}

/** The changed services, and the rejected ones with reasons. */
function ResultDialog({ result, onClose }: { result: Result; onClose: () => void }) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const more = result.refusedCount - result.refused.length;
  return (
    <Modal
      open
      title={t('catalogue.batch_result')}
      onClose={onClose}
      actions={
        <Button variant="contained" onClick={onClose}>
          {t('ui.done')}
        </Button>
      }
    >
      <Stack sx={{ gap: 2 }}>
        <Alert severity="warning">
          {t('catalogue.batch_refused', {
            done: format.number(result.changed),
            refused: format.number(result.refusedCount),
          })}
        </Alert>
        <List
          dense
          disablePadding
          tabIndex={0}
          aria-label={t('catalogue.batch_refused_list')}
          sx={{ maxHeight: 320, overflow: 'auto' }}
        >
          {result.refused.map((one) => (
            <ListItem key={one.id} disableGutters>
              <ListItemText
                primary={one.name}
                secondary={one.message}
                slotProps={{ primary: { variant: 'body2' }, secondary: { variant: 'caption' } }}
              />
            </ListItem>
          ))}
        </List>
        {more > 0 && (
          <Typography variant="caption" color="textSecondary">
            {t('catalogue.and_more', { count: format.number(more) })}
          </Typography>
        )}
      </Stack>
    </Modal>
  );
}
