// Tracks: the ranges of numbers that the Ministry allotted, how much of them is used, and a form to add one.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import type { EinvoiceSettings, Track } from '../contract.ts';
import { einvoiceNumber, periodOf, runsLow } from '../rules.ts';
import { useNow } from '#platform/web/time/clock.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { einvoicesApi, einvoicesKey, einvoicesQueries } from './api.ts';
import { AddTrackDialog } from './AddTrackDialog.tsx';
import { usePeriodName } from './period-name.ts';

const tones: Record<Track['stands'], BadgeTone> = { past: 'neutral', current: 'success', future: 'info' };
const rangeOf = ({ letters, from, to }: Track): string =>
  `${einvoiceNumber(letters, from)}–${einvoiceNumber(letters, to).slice(2)}`;

export function Tracks({ settings }: { settings: EinvoiceSettings }) {
  const { t } = useTranslation('einvoices');
  const format = useFormat();
  const periodName = usePeriodName();
  const [isAdding, setIsAdding] = useState(false);
  const [removing, setRemoving] = useState<Track>();
  const state = useTableState({ sort: '-period', prefix: 'tracks-' });
  const query = usePagedQuery(einvoicesQueries.listTracks(state.query));
  const remove = useCall(einvoicesApi.removeTrack, {
    invalidates: [einvoicesKey()],
    onSuccess: () => toast.success(t('einvoices.track_removed')),
  });
  const columns: readonly Column<Track>[] = [
    {
      key: 'period',
      label: t('einvoices.period'),
      sortable: true,
      card: 'title',
      render: (track) => periodName(track.period),
    },
    {
      key: 'range',
      label: t('einvoices.range'),
      render: (track) => (
        <Box component="span" className="tabular">
          {rangeOf(track)}
        </Box>
      ),
    },
    {
      key: 'stands',
      label: t('einvoices.stands'),
      // used as: 'einvoices.stands_*'
      render: (track) => (
        <StatusBadge tone={tones[track.stands]} label={t(`einvoices.stands_${track.stands}`)} />
      ),
    },
    {
      key: 'used',
      label: t('einvoices.used'),
      align: 'right',
      render: (track) => format.number(track.used),
    },
    {
      key: 'left',
      label: t('einvoices.left'),
      align: 'right',
      render: (track) => format.number(track.left),
    },
  ];
  if (settings.provider === 'ecpay' || settings.provider === 'ezpay')
    return <Alert severity="info">{t('einvoices.tracks_by_provider')}</Alert>;
  return (
    <Stack sx={{ gap: 2 }}>
      {settings.provider === 'turnkey' && query.data && (
        <Warning tracks={query.data.items} lowPercent={settings.lowPercent} />
      )}
      <DataTable
        list="einvoice-tracks"
        label={t('einvoices.tracks')}
        title={t('einvoices.tracks')}
        lead={t('einvoices.tracks_lead')}
        columns={columns}
        query={query}
        state={state}
        rowKey={(track) => track.id}
        rowName={rangeOf}
        searchLabel={t('einvoices.tracks_search')}
        toolbar={
          <Button variant="contained" aria-haspopup="dialog" onClick={() => setIsAdding(true)}>
            {t('einvoices.track_add')}
          </Button>
        }
        rowActions={(track) =>
          track.used === 0
            ? [{ label: t('einvoices.track_remove'), danger: true, onClick: () => setRemoving(track) }]
            : []
        }
        empty={<EmptyState title={t('einvoices.tracks_empty')} hint={t('einvoices.tracks_empty_hint')} />}
      />
      {isAdding && <AddTrackDialog onClose={() => setIsAdding(false)} />}
      {removing && (
        <ConfirmDialog
          open
          title={t('einvoices.track_remove_ask', { range: rangeOf(removing) })}
          confirmLabel={t('einvoices.track_remove')}
          tone="danger"
          onConfirm={() => remove.mutateAsync({ trackId: removing.id })}
          onClose={() => setRemoving(undefined)}
        >
          {t('einvoices.track_remove_hint')}
        </ConfirmDialog>
      )}
    </Stack>
  );
}

/** Few or no numbers are left in the current period. */
function Warning({ tracks, lowPercent }: { tracks: readonly Track[]; lowPercent: number }) {
  const { t } = useTranslation('einvoices');
  const format = useFormat();
  const now = periodOf(useNow());
  const current = tracks.filter(({ period }) => period === now);
  const left = current.reduce((sum, track) => sum + track.left, 0);
  const whole = current.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  if (left === 0) return <Alert severity="error">{t('einvoices.tracks_none')}</Alert>;
  if (!runsLow(left, whole, lowPercent)) return null;
  return <Alert severity="warning">{t('einvoices.tracks_low', { left: format.number(left) })}</Alert>;
}
