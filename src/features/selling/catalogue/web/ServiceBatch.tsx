// Activating, deactivating or deleting services: few at once with a way back, many or what is gone for good after a question.
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
import type { catalogue } from '../contract.ts';
import { catalogueApi, catalogueKey } from './api.ts';
import { BatchDialog } from './BatchDialog.tsx';
import { wireOf, type Batch, type BatchAction, type Services } from './service-form.ts';

type Result = Out<typeof catalogue.batchServices>;

/** Up to so many change without a question, as it can be taken back by a click. */
const mostUnasked = 10;
const opposite = { activate: 'deactivate', deactivate: 'activate' } as const;

export type ServiceBatch = {
  /** Does it, or asks first. */
  readonly begin: (action: BatchAction, whom: Services) => void;
  /** Where questions and refusals appear. */
  readonly dialog: ReactNode;
};

/** `onDone` is called when something has changed: the selection has served its purpose. */
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
    begin: (action, whom) => {
      const isLight = action !== 'delete' && 'rows' in whom && countOf(whom) <= mostUnasked;
      if (isLight) run({ action, whom }).catch(toast.failure);
      else setAsking({ action, whom });
    },
    dialog: (
      <>
        {asking && <BatchDialog batch={asking} onConfirm={run} onClose={() => setAsking(undefined)} />}
        {refused && <ResultDialog result={refused} onClose={() => setRefused(undefined)} />}
      </>
    ),
  };
}

/** Sends a batch and says what it did; what can be taken back offers that. */
function useSend(): (batch: Batch) => Promise<Result> {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const call = useCall(catalogueApi.batchServices, { invalidates: [catalogueKey()] });
  // used as: 'catalogue.batch_*'
  const say = (how: BatchAction, count: number): string =>
    t(`catalogue.batch_${how}_done`, { count: format.number(count) });
  return async (batch) => {
    const { action } = batch;
    const answer = await call.mutateAsync(wireOf(batch));
    const { changed, changedIds } = answer;
    // What changed is taken back, not what was chosen: some were so already.
    const undo =
      action === 'delete' || changedIds.length < changed
        ? undefined
        : {
            label: t('ui.undo'),
            onClick: () =>
              call.mutate(
                { ids: changedIds, action: opposite[action] },
                {
                  onSuccess: (back) => toast.success(say(opposite[action], back.changed)),
                  onError: toast.failure,
                },
              ),
          };
    if (changed > 0) toast.success(say(action, changed), undo);
    return answer;
  };
}

/** What was done and what was refused, with the reason for each. */
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
