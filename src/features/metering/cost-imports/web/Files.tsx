// The files of a source with their state, and actions: preview, import, discard, read again.
import Button from '@mui/material/Button';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { CostImport, CostSource } from '../contract.ts';
import { costsApi, costsKey, costsQueries } from './api.ts';
import { CostAmounts } from './CostAmounts.tsx';

const tones: Readonly<Record<CostImport['state'], BadgeTone>> = {
  waiting: 'neutral',
  reading: 'info',
  ready: 'warning',
  applied: 'success',
  superseded: 'neutral',
  failed: 'error',
  cancelled: 'neutral',
};
const readingMs = 1500;
const isGoingOn = ({ state }: CostImport): boolean => state === 'waiting' || state === 'reading';

export function Files({ source, onPreview }: { source: CostSource; onPreview: (file: CostImport) => void }) {
  const { t } = useTranslation('costs');
  const state = useTableState({ filters: {}, sort: '-createdAt', prefix: 'f' });
  const query = usePagedQuery({
    ...costsQueries.listCostImports({ sourceId: source.id, ...state.query }),
    refetchInterval: ({ state: { data } }) => (data?.items.some(isGoingOn) ? readingMs : false),
  });
  return (
    <DataTable
      label={t('costs.files')}
      title={t('costs.files')}
      columns={useFileColumns(onPreview)}
      query={query}
      state={state}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      empty={<EmptyState title={t('costs.no_files')} />}
      isMarked={({ state: now }) => now === 'failed'}
    />
  );
}

function useFileColumns(onPreview: (file: CostImport) => void): readonly Column<CostImport>[] {
  const { t } = useTranslation('costs');
  const format = useFormat();
  return [
    {
      key: 'name',
      label: t('costs.file'),
      sortable: true,
      card: 'title',
      render: ({ name }) => <Box sx={{ overflowWrap: 'anywhere' }}>{name}</Box>,
    },
    { key: 'state', label: t('costs.state'), render: (file) => <State file={file} /> },
    {
      key: 'period',
      label: t('costs.period'),
      render: ({ periods }) =>
        periods.length === 0 ? '–' : format.list(periods.map((start) => format.month(start.slice(0, 7)))),
    },
    {
      key: 'cost',
      label: t('costs.cost'),
      align: 'right',
      render: ({ cost }) => <CostAmounts amounts={cost} />,
    },
    {
      key: 'rows',
      label: t('costs.rows'),
      align: 'right',
      show: 'wide',
      render: ({ rows }) => format.number(rows),
    },
    {
      key: 'createdAt',
      label: t('costs.added_at'),
      sortable: true,
      show: 'wide',
      render: ({ createdAt }) => <Moment at={createdAt} as="dateTime" />,
    },
    {
      key: 'actions',
      label: t('costs.actions'),
      card: 'foot',
      render: (file) => (isOver(file) ? null : <Actions file={file} onPreview={onPreview} />),
    },
  ];
}

/** Whether no further action is possible. */
const isOver = ({ state }: CostImport): boolean => state === 'applied' || state === 'superseded';

function State({ file }: { file: CostImport }) {
  const { t } = useTranslation('costs');
  const { state, bytes, bytesRead, format, failure, assumed, rows } = file;
  const percent = bytes === 0 ? 0 : Math.floor((bytesRead / bytes) * 100);
  return (
    <Stack sx={{ gap: 0.5, alignItems: 'flex-start' }}>
      {/* used as: 'costs.state_*', 'costs.format_*' */}
      <StatusBadge tone={tones[state]} label={t(`costs.state_${state}`, { percent })} />
      {format && (
        <Typography variant="caption" color="textSecondary">
          {t(`costs.format_${format}`)}
        </Typography>
      )}
      {assumed && (
        <Typography variant="caption" color="textSecondary">
          {t(assumed.rows === rows ? 'costs.assumed_all' : 'costs.assumed_rows', {
            currency: assumed.currency,
            count: assumed.rows,
          })}
        </Typography>
      )}
      {failure && (
        <Typography variant="caption" color="error" sx={{ overflowWrap: 'anywhere', minWidth: 160 }}>
          {failure.row !== null && <Where row={failure.row} column={failure.column} />}
          {failure.message}
        </Typography>
      )}
    </Stack>
  );
}

function Where({ row, column }: { row: number; column: string | null }) {
  const { t } = useTranslation('costs');
  return (
    <Box component="strong" sx={{ display: 'block' }}>
      {column === null ? t('costs.failure_at', { row }) : t('costs.failure_at_column', { row, column })}
    </Box>
  );
}

function Actions({ file, onPreview }: { file: CostImport; onPreview: (file: CostImport) => void }) {
  const { t } = useTranslation('costs');
  const { id: importId, state, name } = file;
  const withToast = (key: 'costs.applied' | 'costs.cancelled' | 'costs.retried') => ({
    invalidates: [costsKey()],
    onSuccess: () => toast.success(t(key, { name })),
    onError: toast.failure,
  });
  const apply = useCall(costsApi.applyCostImport, withToast('costs.applied'));
  const cancel = useCall(costsApi.cancelCostImport, withToast('costs.cancelled'));
  const retry = useCall(costsApi.retryCostImport, withToast('costs.retried'));
  return (
    <Stack direction="row" sx={{ gap: 0.5, flexWrap: 'wrap', justifyContent: { md: 'flex-end' } }}>
      {state === 'ready' && (
        <>
          <Button aria-haspopup="dialog" size="small" variant="outlined" onClick={() => onPreview(file)}>
            {t('costs.preview')}
          </Button>
          <Button
            size="small"
            variant="contained"
            loading={apply.isPending}
            onClick={() => apply.mutate({ importId })}
          >
            {t('costs.apply')}
          </Button>
        </>
      )}
      {(state === 'ready' || isGoingOn(file)) && (
        <Button size="small" loading={cancel.isPending} onClick={() => cancel.mutate({ importId })}>
          {t('costs.cancel_import')}
        </Button>
      )}
      {(state === 'failed' || state === 'cancelled') && (
        <Button size="small" loading={retry.isPending} onClick={() => retry.mutate({ importId })}>
          {t('costs.retry')}
        </Button>
      )}
    </Stack>
  );
}
