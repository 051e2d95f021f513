// Resends many rejected events in chunks, with progress, a stop button, and the result.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { ConfirmButtons } from '#platform/web/ui/ConfirmButtons.tsx';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { Rejected, Replayed } from '../contract.ts';
import { callsOf, rejectionsKey, type Reader } from './api.ts';

/** Which events: some, or all with one reason. */
export type Replaying = { readonly count: number } & (
  | { readonly ids: readonly Rejected['id'][]; readonly code?: undefined }
  | { readonly ids?: undefined; readonly code: string; readonly type: string | undefined }
);
type Sum = { readonly accepted: number; readonly duplicates: number; readonly rejected: number };
const noEvents: Sum = { accepted: 0, duplicates: 0, rejected: 0 };
const places: Record<Replayed['outcome'], keyof Sum> = {
  accepted: 'accepted',
  duplicate: 'duplicates',
  rejected: 'rejected',
};
type Stage =
  | { readonly at: 'asked' | 'running' | 'done' | 'stopped' }
  | { readonly at: 'failed'; readonly error: Error };

/** `onDone` receives whether all events were accepted. */
export function ReplayDialog({
  reader,
  selection,
  onDone,
  onClose,
}: {
  reader: Reader;
  selection: Replaying;
  onDone: (isAll: boolean) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('rejections');
  const format = useFormat();
  const { stage, sum, begin, stop } = useReplay(reader, selection, onDone);
  const done = sum.accepted + sum.duplicates + sum.rejected;
  const isRunning = stage.at === 'running';
  const actions = isRunning ? (
    <Button variant="outlined" onClick={stop}>
      {t('rejections.stop')}
    </Button>
  ) : stage.at === 'asked' ? (
    <ConfirmButtons confirm={t('rejections.replay')} onConfirm={() => void begin()} onClose={onClose} />
  ) : (
    <Button variant="contained" onClick={onClose}>
      {t('ui.done')}
    </Button>
  );
  return (
    <Modal
      open
      width="xs"
      title={
        stage.at === 'asked'
          ? t('rejections.replay_all_title', { count: format.number(selection.count) })
          : t('rejections.replay')
      }
      onClose={isRunning ? undefined : onClose}
      actions={actions}
    >
      <Stack sx={{ gap: 2 }}>
        {stage.at === 'asked' && <Typography variant="body2">{t('rejections.replay_all_what')}</Typography>}
        {isRunning && (
          <ProgressBar
            label={t('rejections.replaying')}
            ratio={Math.min(1, done / Math.max(selection.count, 1))}
            note={t('rejections.replay_of', {
              done: format.number(done),
              count: format.number(selection.count),
            })}
          />
        )}
        {stage.at === 'stopped' && <Alert severity="info">{t('rejections.stopped')}</Alert>}
        {stage.at === 'failed' && <ErrorState error={stage.error} onRetry={() => void begin()} />}
        {stage.at !== 'asked' && !isRunning && (
          <Alert severity={sum.rejected > 0 ? 'warning' : 'success'} role="status">
            {t('rejections.replay_done', {
              accepted: format.number(sum.accepted),
              duplicates: format.number(sum.duplicates),
              rejected: format.number(sum.rejected),
            })}
          </Alert>
        )}
      </Stack>
    </Modal>
  );
}

/**
 * Runs until no event is left or the user stops it. If restarted after a failure, it continues with the
 * events that are still open.
 */
function useReplay(
  reader: Reader,
  selection: Replaying,
  onDone: (isAll: boolean) => void,
): { stage: Stage; sum: Sum; begin: () => Promise<void>; stop: () => void } {
  const cache = useQueryClient();
  const [stage, setStage] = useState<Stage>({ at: 'asked' });
  const [sum, setSum] = useState(noEvents);
  const isStopped = useRef(false);
  const begin = async (): Promise<void> => {
    isStopped.current = false;
    setStage({ at: 'running' });
    setSum(noEvents);
    let total = noEvents;
    try {
      for await (const part of selection.ids
        ? replayOneByOne(reader, selection.ids)
        : chunks(reader, selection)) {
        total = {
          accepted: total.accepted + part.accepted,
          duplicates: total.duplicates + part.duplicates,
          rejected: total.rejected + part.rejected,
        };
        setSum(total);
        if (isStopped.current) break;
      }
      setStage({ at: isStopped.current ? 'stopped' : 'done' });
      onDone(!isStopped.current && total.rejected === 0);
    } catch (error) {
      setStage({ at: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
    }
    await cache.invalidateQueries({ queryKey: rejectionsKey() });
  };
  return { stage, sum, begin, stop: () => (isStopped.current = true) };
}

async function* chunks(
  reader: Reader,
  { code, type }: { code: string; type: string | undefined },
): AsyncGenerator<Sum> {
  let after: Rejected['id'] | undefined;
  do {
    const chunk = await callsOf[reader].replayReason({
      code,
      ...(type !== undefined && { type }),
      ...(after !== undefined && { after }),
    });
    yield chunk;
    after = chunk.next ?? undefined;
  } while (after !== undefined);
}

async function* replayOneByOne(reader: Reader, ids: readonly Rejected['id'][]): AsyncGenerator<Sum> {
  for (const rejectedId of ids) {
    const { outcome } = await callsOf[reader].replay({ rejectedId });
    yield { ...noEvents, [places[outcome]]: 1 };
  }
}
