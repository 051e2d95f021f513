// All backups with their results, and actions on their files.
import { useState } from 'react';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { backupStates, type Backup } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import type { RowAction } from '#platform/web/ui/RowMenu.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { backupsApi, backupsKey, backupsQueries } from './api.ts';

const tones = {
  waiting: 'neutral',
  running: 'info',
  done: 'success',
  failed: 'error',
  stopped: 'neutral',
  interrupted: 'warning',
} as const;
const proofTones = { proven: 'success', different: 'error', not_allowed: 'warning' } as const;

/** A backup's state; for a finished one, the result of its verification. */
export function BackupBadge({ backup: { state, proof, removedAt } }: { readonly backup: Backup }) {
  const { t } = useTranslation('backups');
  // used as: 'backups.state_*', 'backups.proof_*'
  if (removedAt) return <StatusBadge tone="neutral" label={t('backups.state_removed')} />;
  return proof ? (
    <StatusBadge tone={proofTones[proof]} label={t(`backups.proof_${proof}`)} />
  ) : (
    <StatusBadge tone={tones[state]} label={t(`backups.state_${state}`)} />
  );
}

export function useCause(): (backup: Backup) => string {
  const { t } = useTranslation('backups');
  // used as: 'backups.cause_*'
  return ({ cause, askedBy }) => t(`backups.cause_${cause}`, { name: askedBy });
}

export function BackupList({
  onShow,
  provenId,
}: {
  readonly onShow: (backup: Backup) => void;
  readonly provenId: string | undefined;
}) {
  const { t } = useTranslation('backups');
  const format = useFormat();
  const cause = useCause();
  const download = useDownload();
  const [removing, setRemoving] = useState<Backup>();
  const state = useTableState({ filters: { state: backupStates }, sort: '-askedAt' });
  const query = usePagedQuery(backupsQueries.listBackups(state.query));
  const remove = useCall(backupsApi.deleteBackup, {
    invalidates: [backupsKey()],
    onSuccess: () => toast.success(t('backups.removed_done')),
  });
  const took = ({ begunAt, finishedAt }: Backup): string =>
    begunAt && finishedAt
      ? t('backups.seconds', {
          count: format.number(Math.round((finishedAt.getTime() - begunAt.getTime()) / 100) / 10),
        })
      : '–';
  const columns: readonly Column<Backup>[] = [
    {
      key: 'askedAt',
      label: t('backups.asked_at'),
      card: 'title',
      sortable: true,
      render: (backup) => format.dateTimeTable(backup.askedAt),
    },
    { key: 'cause', label: t('backups.cause'), render: cause },
    { key: 'state', label: t('backups.state'), render: (backup) => <BackupBadge backup={backup} /> },
    {
      key: 'rows',
      label: t('backups.rows'),
      align: 'right',
      show: 'wide',
      render: (backup) => (backup.content ? format.number(backup.content.rows) : '–'),
    },
    { key: 'took', label: t('backups.duration'), align: 'right', show: 'wide', render: took },
    {
      key: 'sizeBytes',
      label: t('backups.size'),
      align: 'right',
      sortable: true,
      render: (backup) => (backup.sizeBytes === null ? '–' : format.bytes(backup.sizeBytes)),
    },
  ];
  const actions = (backup: Backup): readonly RowAction[] => [
    { label: t('backups.details'), onClick: () => onShow(backup) },
    ...(backup.state !== 'done' || backup.removedAt
      ? []
      : [
          {
            label: t('backups.download'),
            onClick: () =>
              void download((options) => backupsApi.downloadBackup({ backupId: backup.id }, options)),
          },
        ]),
    ...(backup.state !== 'done' || backup.removedAt || backup.id === provenId
      ? []
      : [{ label: t('backups.remove'), onClick: () => setRemoving(backup) }]),
  ];
  return (
    <>
      <DataTable
        list="backups"
        label={t('backups.list')}
        title={t('backups.list')}
        columns={columns}
        query={query}
        state={state}
        rowKey={(backup) => backup.id}
        rowName={(backup) => format.dateTimeTable(backup.askedAt)}
        searchLabel={t('backups.search')}
        filters={{
          state: {
            label: t('backups.state_any'),
            options: backupStates.map((each) => ({ value: each, label: t(`backups.state_${each}`) })),
          },
        }}
        onRowClick={onShow}
        empty={<EmptyState title={t('backups.empty')} hint={t('backups.empty_hint')} />}
        rowActions={actions}
      />
      <ConfirmDialog
        open={removing !== undefined}
        tone="danger"
        title={t('backups.remove_title')}
        confirmLabel={t('backups.remove')}
        onConfirm={() => (removing ? remove.mutateAsync({ backupId: removing.id }) : undefined)}
        onClose={() => setRemoving(undefined)}
      >
        {t('backups.remove_text')}
      </ConfirmDialog>
    </>
  );
}
