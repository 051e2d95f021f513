// An Admin's services: views, search and filters, a panel to make or change one, changes of many, files in and out (R-CAT-05).
import AddOutlined from '@mui/icons-material/AddOutlined';
import FileDownloadOutlined from '@mui/icons-material/FileDownloadOutlined';
import FileUploadOutlined from '@mui/icons-material/FileUploadOutlined';
import Button from '@mui/material/Button';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { useParam } from '#platform/web/use-param.ts';
import type { AdminService } from '#features/catalogue/contract.ts';
import { catalogueQueries } from './api.ts';
import { ExportDialog } from './ExportDialog.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import { useServiceBatch } from './ServiceBatch.tsx';
import { useServiceColumns } from './service-columns.tsx';
import { useServiceFilters } from './service-filters.ts';
import type { Rehearsal } from './service-form.ts';
import { newService, ServicePanel } from './ServicePanel.tsx';
import { useCatalogueTexts } from './texts.ts';

const none: ReadonlyMap<string, AdminService> = new Map();

/** `rehearsal` stands below a changed price: what last months' usage would have cost with it. */
export function ServicesScreen({ rehearsal }: { rehearsal?: Rehearsal } = {}) {
  const t = useCatalogueTexts();
  const [open, setOpen] = useParam('service');
  const [chosen, setChosen] = useState(none);
  const [moving, setMoving] = useState<'import' | 'export'>();
  const { state, filters, narrowedBy } = useServiceFilters();
  const query = useQuery({ ...catalogueQueries.adminListServices(state.query), placeholderData: keepPreviousData });
  const choose = (ids: ReadonlySet<string>) => setChosen(new Map([...chosen, ...(query.data?.items ?? []).map((one) => [one.id, one] as const)].filter(([id]) => ids.has(id))));
  const { begin, dialog } = useServiceBatch(() => setChosen(none));
  const add = <Button variant="contained" startIcon={<AddOutlined />} onClick={() => setOpen(newService)}>{t('catalogue.service_add')}</Button>;
  const actions = (
    <>
      <Button variant="outlined" startIcon={<FileUploadOutlined />} onClick={() => setMoving('import')}>{t('catalogue.import')}</Button>
      <Button variant="outlined" startIcon={<FileDownloadOutlined />} onClick={() => setMoving('export')}>{t('catalogue.export')}</Button>
      {add}
    </>
  );
  const { limit: _limit, cursor: _cursor, ...filter } = state.query;
  const all = [...chosen.values()];
  return (
    <Page title={t('catalogue.services_title')} actions={actions}>
      <DataTable
        list="services"
        given={[{ label: t('ui.all'), view: '' }, { label: t('catalogue.view_active'), view: 'status=active' }, { label: t('catalogue.view_inactive'), view: 'status=inactive' }]}
        label={t('catalogue.services_title')}
        columns={useServiceColumns()}
        query={query}
        state={state}
        rowKey={(service) => service.id}
        rowName={(service) => service.name}
        searchLabel={t('catalogue.services_search')}
        filters={filters}
        empty={<EmptyState title={t('catalogue.services_empty')} hint={t('catalogue.services_empty_hint')} action={add} />}
        rowActions={(service) => [
          { label: t('ui.edit'), onClick: () => setOpen(service.id) },
          service.status === 'active'
            ? { label: t('catalogue.deactivate'), onClick: () => begin('deactivate', [service]) }
            : { label: t('catalogue.activate'), onClick: () => begin('activate', [service]) },
          { label: t('ui.delete'), danger: true, onClick: () => begin('delete', [service]) },
        ]}
        selection={{
          selected: new Set(chosen.keys()), onChange: choose,
          actions: (
            <>
              <Button size="small" variant="outlined" onClick={() => begin('activate', all)}>{t('catalogue.activate')}</Button>
              <Button size="small" variant="outlined" onClick={() => begin('deactivate', all)}>{t('catalogue.deactivate')}</Button>
              <Button size="small" variant="outlined" color="error" onClick={() => begin('delete', all)}>{t('ui.delete')}</Button>
            </>
          ),
        }}
        onRowClick={(service) => setOpen(service.id)}
      />
      {dialog}
      {moving === 'import' && <ImportDialog onClose={() => setMoving(undefined)} />}
      {moving === 'export' && <ExportDialog filter={filter} total={query.data?.total ?? 0} narrowedBy={narrowedBy} onClose={() => setMoving(undefined)} />}
      <ServicePanel open={open} onClose={() => setOpen(undefined)} rehearsal={rehearsal} />
    </Page>
  );
}
