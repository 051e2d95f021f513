// The Admin's services: views, search and filters, a panel to create or change one, batch changes, import and
// export (R-CAT-05).
import Button from '@mui/material/Button';
import { useState } from 'react';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { MoveButtons } from '#platform/web/ui/MoveButtons.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { useChosenRows } from '#platform/web/ui/use-chosen-rows.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { maxNamed, type AdminService } from '../contract.ts';
import { catalogueApi, catalogueQueries } from './api.ts';
import { ExportDialog } from './ExportDialog.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import { useServiceBatch } from './ServiceBatch.tsx';
import { useServiceColumns } from './service-columns.tsx';
import { useServiceFilters } from './service-filters.ts';
import type { Rehearsal, ServiceFilter } from './service-form.ts';
import { newService, ServicePanel } from './ServicePanel.tsx';

/** `rehearsal` is shown below a changed price: what recent months' usage would have cost with it. */
export function ServicesScreen({ rehearsal }: { rehearsal?: Rehearsal } = {}) {
  const { t } = useTranslation('catalogue');
  const [open, setOpen] = useParam('service');
  const [moving, setMoving] = useState<'import' | 'export'>();
  const { state, filters, narrowedBy } = useServiceFilters();
  const query = usePagedQuery(catalogueQueries.adminListServices(state.query));
  const { limit: _limit, cursor: _cursor, ...filter } = state.query;
  const { sort: _sort, ...withoutSort } = filter;
  const { chosen, selection, clear } = useChosenRows<AdminService, ServiceFilter>({
    filter: withoutSort,
    query,
    maxNamed,
    count: catalogueApi.countServices,
  });
  const { begin, dialog } = useServiceBatch(clear);
  const add = <AddButton onClick={() => setOpen(newService)}>{t('catalogue.service_add')}</AddButton>;
  const actions = (
    <>
      <MoveButtons onClick={setMoving} imports={t('catalogue.import')} exports={t('catalogue.export')} />
      {add}
    </>
  );
  return (
    <Page title={t('catalogue.services_title')} actions={actions}>
      <DataTable
        list="services"
        given={[
          { label: t('ui.all'), view: '' },
          { label: t('catalogue.view_active'), view: 'status=active' },
          { label: t('catalogue.view_inactive'), view: 'status=inactive' },
        ]}
        label={t('catalogue.services_title')}
        columns={useServiceColumns()}
        query={query}
        state={state}
        rowKey={(service) => service.id}
        rowName={(service) => service.name}
        searchLabel={t('catalogue.services_search')}
        filters={filters}
        empty={
          <EmptyState
            title={t('catalogue.services_empty')}
            hint={t('catalogue.services_empty_hint')}
            action={add}
          />
        }
        rowActions={(service) => [
          { label: t('ui.edit'), onClick: () => setOpen(service.id) },
          service.status === 'active'
            ? { label: t('catalogue.deactivate'), onClick: () => begin('deactivate', { rows: [service] }) }
            : { label: t('catalogue.activate'), onClick: () => begin('activate', { rows: [service] }) },
          { label: t('ui.delete'), danger: true, onClick: () => begin('delete', { rows: [service] }) },
        ]}
        selection={{
          ...selection,
          actions: (
            <>
              <Button
                aria-haspopup="dialog"
                size="small"
                variant="outlined"
                onClick={() => begin('activate', chosen)}
              >
                {t('catalogue.activate')}
              </Button>
              <Button
                aria-haspopup="dialog"
                size="small"
                variant="outlined"
                onClick={() => begin('deactivate', chosen)}
              >
                {t('catalogue.deactivate')}
              </Button>
              <Button
                aria-haspopup="dialog"
                size="small"
                variant="outlined"
                color="error"
                onClick={() => begin('delete', chosen)}
              >
                {t('ui.delete')}
              </Button>
            </>
          ),
        }}
        onRowClick={(service) => setOpen(service.id)}
      />
      {dialog}
      {moving === 'import' && <ImportDialog onClose={() => setMoving(undefined)} />}
      {moving === 'export' && (
        <ExportDialog
          filter={filter}
          total={query.data?.total ?? 0}
          narrowedBy={narrowedBy}
          onClose={() => setMoving(undefined)}
        />
      )}
      <ServicePanel open={open} onClose={() => setOpen(undefined)} rehearsal={rehearsal} />
    </Page>
  );
}
