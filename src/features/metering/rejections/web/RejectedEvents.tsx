// A list of rejected events with their reasons: one can be opened and fixed, many can be resent or dismissed.
import FileDownloadOutlined from '~icons/ic/outline-file-download';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useState } from 'react';
import type { In } from '#kernel/contract.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Parts } from '#platform/web/ui/Parts.tsx';
import { Block } from '#platform/web/ui/QueryState.tsx';
import { RowMenu } from '#platform/web/ui/RowMenu.tsx';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { rejectedStates, type Rejected, type rejections } from '../contract.ts';
import { callsOf, type Reader } from './api.ts';
import { DismissDialog, type Dismissal } from './DismissDialog.tsx';
import { ReasonBar } from './ReasonBar.tsx';
import { useRejectedColumns } from './rejected-columns.tsx';
import { useRejectedFilters } from './rejected-filters.ts';
import { RejectedPanel } from './RejectedPanel.tsx';
import { ReplayDialog, type Replaying } from './ReplayDialog.tsx';

export function RejectedEvents({ reader }: { reader: Reader }) {
  const { t } = useTranslation('rejections');
  const format = useFormat();
  const [open, setOpen] = useParam('rejected');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [dismissal, setDismissal] = useState<Dismissal>();
  const [replaying, setReplaying] = useState<Replaying>();
  const { state, filters, shown, setShown, reasons, isLoading } = useRejectedFilters(reader);
  const listInput = { ...state.query, state: shown };
  const query = usePagedQuery(callsOf[reader].list(listInput));
  const ids = [...chosen] as Rejected['id'][];
  // After all events of a reason are handled, the filters are cleared, because the filtered list would be
  // empty.
  const done = (code: string | undefined) => {
    setChosen(new Set());
    if (code !== undefined) state.clear();
  };
  return (
    <Parts>
      {isLoading && <Block height={96} />}
      {reasons && reasons.notKept > 0 && (
        <Alert severity="warning">
          {t('rejections.not_kept', { count: format.number(reasons.notKept) })}
        </Alert>
      )}
      {shown === 'open' && (
        <ReasonBar
          reasons={reasons}
          state={state}
          onReplay={(code, count) => setReplaying({ code, type: state.filters.type, count })}
          onDismiss={(code, count) => setDismissal({ code, type: state.filters.type, count })}
        />
      )}
      <DataTable
        list="rejected-events"
        label={t('rejections.title')}
        columns={useRejectedColumns(reader)}
        query={query}
        state={state}
        rowKey={(row) => row.id}
        rowName={(row) => row.eventId ?? t('rejections.no_id')}
        searchLabel={t('rejections.search')}
        filters={filters}
        toolbar={
          <>
            <StateChoice shown={shown} onChange={setShown} />
            <ExportMenu reader={reader} query={listInput} total={query.data?.total ?? 0} />
          </>
        }
        empty={<EmptyState title={t('rejections.empty')} hint={t('rejections.empty_hint')} />}
        rowActions={(row) => [
          { label: t('ui.edit'), onClick: () => setOpen(row.id) },
          ...(row.state === 'open'
            ? [{ label: t('rejections.dismiss'), onClick: () => setDismissal({ ids: [row.id], count: 1 }) }]
            : []),
        ]}
        {...(shown === 'open' && {
          selection: {
            selected: chosen,
            onChange: setChosen,
            actions: (
              <>
                <Button
                  aria-haspopup="dialog"
                  size="small"
                  variant="outlined"
                  onClick={() => setReplaying({ ids, count: ids.length })}
                >
                  {t('rejections.replay_selected')}
                </Button>
                <Button
                  aria-haspopup="dialog"
                  size="small"
                  variant="outlined"
                  onClick={() => setDismissal({ ids, count: ids.length })}
                >
                  {t('rejections.dismiss')}
                </Button>
              </>
            ),
          },
        })}
        onRowClick={(row) => setOpen(row.id)}
      />
      <RejectedPanel
        reader={reader}
        rejectedId={open}
        onClose={() => setOpen(undefined)}
        onDismiss={(id) => setDismissal({ ids: [id], count: 1 })}
      />
      {dismissal && (
        <DismissDialog
          reader={reader}
          selection={dismissal}
          onDone={() => done(dismissal.code)}
          onClose={() => setDismissal(undefined)}
        />
      )}
      {replaying && (
        <ReplayDialog
          reader={reader}
          selection={replaying}
          onDone={(isAll) => done(isAll ? replaying.code : undefined)}
          onClose={() => setReplaying(undefined)}
        />
      )}
    </Parts>
  );
}

/** The filter by state: open, resent, dismissed. */
function StateChoice({
  shown,
  onChange,
}: {
  shown: Rejected['state'];
  onChange: (shown: Rejected['state']) => void;
}) {
  const { t } = useTranslation('rejections');
  // used as: 'rejections.state_*'
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      color="primary"
      value={shown}
      aria-label={t('rejections.column_state')}
      onChange={(_, next: Rejected['state'] | null) => next && onChange(next)}
    >
      {rejectedStates.map((one) => (
        <ToggleButton key={one} value={one}>
          {t(`rejections.state_${one}`)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

/** Exports the list as a file, with the current filters. */
function ExportMenu({
  reader,
  query: { limit: _limit, cursor: _cursor, ...filter },
  total,
}: {
  reader: Reader;
  query: In<typeof rejections.listRejected>;
  total: number;
}) {
  const { t } = useTranslation('rejections');
  const language = useLanguage();
  const download = useDownload();
  const begin = (format: 'csv' | 'xlsx') =>
    void download((options) => callsOf[reader].exported({ ...filter, format, language }, options));
  return (
    // Always in its place, so that what is beside it does not move when the list is there.
    <Box sx={{ visibility: total === 0 ? 'hidden' : 'visible' }}>
      <RowMenu
        name={t('rejections.title')}
        actions={[
          {
            label: t('rejections.export_xlsx'),
            icon: <FileDownloadOutlined fontSize="small" />,
            onClick: () => begin('xlsx'),
          },
          {
            label: t('rejections.export_csv'),
            icon: <FileDownloadOutlined fontSize="small" />,
            onClick: () => begin('csv'),
          },
        ]}
      />
    </Box>
  );
}
