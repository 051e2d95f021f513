// All imports, newest first, with progress and result.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { FocusImport } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import type { Column, ListQuery } from '#platform/web/ui/list-parts.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { TableState } from '#platform/web/ui/table-state.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { administrationApi, administrationKey } from './api.ts';
import { importTones, isGoingOn, shareDone } from './import-states.ts';

type ImportListProps = {
  query: ListQuery<FocusImport>;
  state: TableState<Record<never, never>>;
  onOpen: (importId: string) => void;
};

export function ImportList({ query, state, onOpen }: ImportListProps) {
  const { t } = useTranslation('administration');
  const [toCancel, setToCancel] = useState<FocusImport>();
  const columns: readonly Column<FocusImport>[] = [
    { key: 'fileName', label: t('administration.import_file'), card: 'title', render: (one) => one.fileName },
    // used as: 'administration.import_state_*'
    {
      key: 'state',
      label: t('administration.import_state'),
      render: (one) => (
        <StatusBadge tone={importTones[one.state]} label={t(`administration.import_state_${one.state}`)} />
      ),
    },
    { key: 'rows', label: t('administration.import_rows'), width: 220, render: (one) => <Rows one={one} /> },
    {
      key: 'events',
      label: t('administration.import_events'),
      align: 'right',
      show: 'wide',
      render: (one) => <Created one={one} />,
    },
    {
      key: 'refused',
      label: t('administration.import_refused'),
      align: 'right',
      show: 'wide',
      render: (one) => <Refused one={one} />,
    },
    {
      key: 'createdAt',
      label: t('administration.import_started_at'),
      sortable: true,
      render: (one) => <Moment at={one.createdAt} as="dateTime" />,
    },
  ];
  return (
    <>
      <DataTable
        list="imports"
        label={t('administration.import_list')}
        title={t('administration.import_list')}
        columns={columns}
        query={query}
        state={state}
        rowKey={(one) => one.id}
        rowName={(one) => one.fileName}
        empty={
          <EmptyState
            title={t('administration.imports_empty')}
            hint={t('administration.imports_empty_hint')}
          />
        }
        rowActions={(one) => [
          { label: t('administration.import_report'), onClick: () => onOpen(one.id) },
          ...(isGoingOn(one)
            ? [{ label: t('administration.import_cancel'), danger: true, onClick: () => setToCancel(one) }]
            : []),
        ]}
        onRowClick={(one) => onOpen(one.id)}
      />
      {toCancel && <CancelImport one={toCancel} onClose={() => setToCancel(undefined)} />}
    </>
  );
}

/** Confirms before an import is stopped. */
export function CancelImport({ one, onClose }: { one: FocusImport; onClose: () => void }) {
  const { t } = useTranslation('administration');
  const cancel = useCall(administrationApi.cancelImport, {
    invalidates: [administrationKey('listImports'), administrationKey('getImport')],
    onSuccess: () => toast.success(t('administration.import_canceled')),
  });
  return (
    <ConfirmDialog
      open
      title={t('administration.import_cancel_title', { name: one.fileName })}
      consequences={[t('administration.import_cancel_keeps'), t('administration.import_cancel_again')]}
      confirmLabel={t('administration.import_cancel')}
      tone="danger"
      onConfirm={() => cancel.mutateAsync({ importId: one.id })}
      onClose={onClose}
    />
  );
}

function Rows({ one }: { one: FocusImport }) {
  const { t } = useTranslation('administration');
  const format = useFormat();
  const rows = t('administration.import_rows_done', {
    done: format.number(one.rowsDone),
    total: format.number(one.rowsTotal),
  });
  if (!isGoingOn(one))
    return (
      <Box component="span" className="tabular">
        {rows}
      </Box>
    );
  return (
    <Box sx={{ paddingBlock: '6px' }}>
      <ProgressBar
        label={one.rowsTotal === 0 ? t('administration.import_counting') : rows}
        ratio={shareDone(one)}
      />
    </Box>
  );
}

function Created({ one }: { one: FocusImport }) {
  const { t } = useTranslation('administration');
  const format = useFormat();
  const { created, existing } = one.report.events;
  return (
    <>
      <span className="tabular">{format.number(created)}</span>
      {existing > 0 && (
        <Typography variant="caption" component="div" color="textSecondary" className="tabular">
          {t('administration.import_existing', { count: format.number(existing) })}
        </Typography>
      )}
    </>
  );
}

function Refused({ one }: { one: FocusImport }) {
  const format = useFormat();
  return (
    <Box
      component="span"
      className="tabular"
      sx={one.report.refusedTotal > 0 ? { color: 'warning.main', fontWeight: 700 } : undefined}
    >
      {format.number(one.report.refusedTotal)}
    </Box>
  );
}
