// Changes users: a few at once with undo; many, or with serious consequences, after a confirmation, with
// progress and results.
import { useState, type ReactNode } from 'react';
import type { Out } from '#kernel/contract.ts';
import { identityKey } from '#features/access/identity/web/parts.ts';
import type { BatchAction, UserBatch, users } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { countOf } from '#platform/web/ui/use-chosen-rows.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { usersApi, usersKey } from './api.ts';
import type { Begin, Users } from './batch-form.ts';
import { BatchQuestion } from './BatchQuestion.tsx';
import { BatchLinks } from './BatchLinks.tsx';
import { BatchProgress } from './BatchProgress.tsx';
import { BatchResult } from './BatchResult.tsx';

/** Up to this many users are changed without confirmation, if the change can be undone. */
const maxUnconfirmed = 10;
const lists = [identityKey('listUsers'), identityKey('getUser'), usersKey()];

/** `onDone` is called after a change, to clear the selection. */
export function useUserBatch(onDone: () => void): { readonly begin: Begin; readonly dialog: ReactNode } {
  const [asking, setAsking] = useState<{ readonly action: BatchAction; readonly selection: Users }>();
  const [running, setRunning] = useState<UserBatch>();
  const [ended, setEnded] = useState<UserBatch>();
  const [links, setLinks] = useState<Out<typeof users.startBatch>['links']>([]);
  const start = useCall(usersApi.startBatch, { invalidates: lists });
  const undo = useCall(usersApi.undoBatch, { invalidates: lists, onError: toast.failure });
  const retry = useCall(usersApi.retryBatch, { invalidates: lists, onError: toast.failure });
  const summary = useSummary();
  const follow = (batch: UserBatch): void => {
    if (batch.state === 'running') return setRunning(batch);
    setRunning(undefined);
    onDone();
    if (batch.done > 0 || batch.refused === 0)
      toast.success(
        summary(batch),
        batch.canUndo ? { label: summary.undo, onClick: () => takeBack(batch) } : undefined,
      );
    if (batch.refused > 0 || batch.state === 'stopped') setEnded(batch);
  };
  const takeBack = (batch: UserBatch): void => undo.mutate({ batchId: batch.id }, { onSuccess: follow });
  const run = async ({ action, selection }: { action: BatchAction; selection: Users }): Promise<void> => {
    const answer = await start.mutateAsync({
      action,
      ...('rows' in selection
        ? { ids: selection.rows.map((user) => user.id) }
        : { filter: selection.filter, expected: selection.total }),
    });
    setLinks(answer.links);
    follow(answer.batch);
  };
  return {
    begin: (action, selection) => {
      const isLight =
        (action === 'activate' || action === 'deactivate' || action === 'restore') &&
        'rows' in selection &&
        countOf(selection) <= maxUnconfirmed;
      if (isLight) run({ action, selection }).catch(toast.failure);
      else setAsking({ action, selection });
    },
    dialog: (
      <>
        {asking && (
          <BatchQuestion {...asking} onConfirm={() => run(asking)} onClose={() => setAsking(undefined)} />
        )}
        {running && <BatchProgress batch={running} onEnd={follow} />}
        {ended && (
          <BatchResult
            key={ended.id}
            batch={ended}
            onRetry={() =>
              retry.mutate(
                { batchId: ended.id },
                {
                  onSuccess: (next) => {
                    setEnded(undefined);
                    follow(next);
                  },
                },
              )
            }
            onUndo={() => {
              setEnded(undefined);
              takeBack(ended);
            }}
            onClose={() => setEnded(undefined)}
          />
        )}
        {links.length > 0 && !running && <BatchLinks links={links} onClose={() => setLinks([])} />}
      </>
    ),
  };
}

/** A message that summarizes a batch. */
function useSummary(): ((batch: UserBatch) => string) & { readonly undo: string } {
  const { t } = useTranslation('users');
  const format = useFormat();
  // used as: 'users.done_*'
  return Object.assign(
    (batch: UserBatch) =>
      batch.done === 0
        ? t('users.done_nothing')
        : t(`users.done_${batch.action}`, { count: format.number(batch.done) }),
    { undo: t('ui.undo') },
  );
}
