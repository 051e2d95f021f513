// The progress of a large batch, with a button to stop it. The batch continues when the dialog is closed.
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { UserBatch } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { usersApi, usersQueries } from './api.ts';

const lookEveryMs = 500;

export function BatchProgress({ batch, onEnd }: { batch: UserBatch; onEnd: (batch: UserBatch) => void }) {
  const { t } = useTranslation('users');
  const format = useFormat();
  const query = useQuery({
    ...usersQueries.getBatch({ batchId: batch.id }),
    refetchInterval: lookEveryMs,
    staleTime: 0,
  });
  const stop = useCall(usersApi.stopBatch, { onError: toast.failure });
  const now = query.data ?? batch;
  const hasEnded = useRef(false);
  useEffect(() => {
    if (now.state === 'running' || hasEnded.current) return;
    hasEnded.current = true;
    onEnd(now);
  });
  const judged = now.done + now.unchanged + now.refused;
  // used as: 'users.running_*'
  return (
    <Modal
      open
      width="xs"
      title={t(`users.running_${now.action}`)}
      actions={
        <Button loading={stop.isPending} onClick={() => stop.mutate({ batchId: batch.id })}>
          {t('users.stop')}
        </Button>
      }
    >
      <ProgressBar
        label={t('users.running_at', { done: format.number(judged), total: format.number(now.total) })}
        ratio={now.total === 0 ? undefined : judged / now.total}
        note={t('users.running_note')}
      />
    </Modal>
  );
}
