// The destinations of the audit log: the list, and a panel with one of them or the form for a new one.
import Typography from '@mui/material/Typography';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { AuditExport } from '../contract.ts';
import { auditExportsQueries } from './api.ts';
import { ExportPanel, newExport } from './ExportPanel.tsx';
import { placeOf, shownState, stateTones, useFailureText } from './export-words.ts';

const shownMs = 10_000;

export function AuditExportsScreen() {
  const { t } = useTranslation('auditexports');
  const [open, setOpen] = useParam('export');
  const state = useTableState({ filters: {}, sort: 'name' });
  const query = usePagedQuery({
    ...auditExportsQueries.listAuditExports(state.query),
    refetchInterval: shownMs,
  });
  const add = <AddButton onClick={() => setOpen(newExport)}>{t('auditexports.add')}</AddButton>;
  return (
    <Page title={t('auditexports.title')} lead={t('auditexports.lead')} actions={add}>
      <DataTable
        list="audit-exports"
        label={t('auditexports.title')}
        columns={useExportColumns()}
        query={query}
        state={state}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        searchLabel={t('auditexports.search')}
        empty={
          <EmptyState title={t('auditexports.empty')} hint={t('auditexports.empty_hint')} action={add} />
        }
        onRowClick={({ id }) => setOpen(id)}
        isMarked={({ failure }) => failure !== null}
      />
      <ExportPanel open={open} onOpen={setOpen} />
    </Page>
  );
}

function useExportColumns(): readonly Column<AuditExport>[] {
  const { t } = useTranslation('auditexports');
  const format = useFormat();
  const failureText = useFailureText();
  return [
    {
      key: 'name',
      label: t('auditexports.name'),
      sortable: true,
      card: 'title',
      render: ({ name }) => name,
    },
    {
      key: 'state',
      label: t('auditexports.state'),
      // used as: 'auditexports.state_*'
      render: (shown) => {
        const state = shownState(shown);
        return <StatusBadge tone={stateTones[state]} label={t(`auditexports.state_${state}`)} />;
      },
    },
    {
      key: 'place',
      label: t('auditexports.place'),
      render: ({ target }) => (
        <Typography component="span" variant="inherit" sx={{ overflowWrap: 'anywhere' }}>
          {placeOf(target)}
        </Typography>
      ),
    },
    {
      key: 'waiting',
      label: t('auditexports.waiting'),
      align: 'right',
      render: ({ waiting }) => format.number(waiting),
    },
    {
      key: 'lastSentAt',
      label: t('auditexports.last_sent'),
      show: 'wide',
      render: ({ lastSentAt }) => (lastSentAt ? <Moment at={lastSentAt} as="dateTime" /> : '–'),
    },
    {
      key: 'failure',
      label: t('auditexports.last_error'),
      show: 'wide',
      render: ({ failure }) => (failure ? failureText(failure) : '–'),
    },
  ];
}
