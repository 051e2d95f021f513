// An Admin's services: list with search and filters, a panel to make or change one, and changes of many (R-CAT-05).
import AddOutlined from '@mui/icons-material/AddOutlined';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { DensityToggle } from '#platform/web/ui/DensityToggle.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useParam } from '#platform/web/use-param.ts';
import { serviceStatuses, type Service } from '#features/catalogue/contract.ts';
import { catalogueQueries } from './api.ts';
import { PriceText, QuotaText } from './PriceText.tsx';
import { useServiceBatch } from './ServiceBatch.tsx';
import { newService, ServicePanel } from './ServicePanel.tsx';
import { releaseKeys, releaseTones, statusTones } from './states.ts';
import { useCatalogueTexts } from './texts.ts';

const none: ReadonlyMap<string, Service> = new Map();

export function ServicesScreen() {
  const t = useCatalogueTexts();
  const [open, setOpen] = useParam('service');
  const [chosen, setChosen] = useState(none);
  const { types, categories } = useKinds();
  const state = useTableState({ filters: { type: types, category: categories, status: serviceStatuses }, sort: 'name' });
  const query = useQuery({ ...catalogueQueries.adminListServices(state.query), placeholderData: keepPreviousData });
  const choose = (ids: ReadonlySet<string>) => setChosen(new Map([...chosen, ...(query.data?.items ?? []).map((one) => [one.id, one] as const)].filter(([id]) => ids.has(id))));
  const option = (one: string) => ({ value: one, label: one });
  const { begin, dialog } = useServiceBatch(() => setChosen(none));
  const add = <Button variant="contained" startIcon={<AddOutlined />} onClick={() => setOpen(newService)}>{t('catalogue.service_add')}</Button>;
  return (
    <Page title={t('catalogue.services_title')} actions={add}>
      <DataTable
        label={t('catalogue.services_title')}
        columns={useColumns()}
        query={query}
        state={state}
        rowKey={(service) => service.id}
        rowName={(service) => service.name}
        searchLabel={t('catalogue.services_search')}
        filters={{
          type: { label: t('catalogue.type'), options: types.map(option) },
          category: { label: t('catalogue.category'), options: categories.map(option) },
          status: { label: t('catalogue.status'), options: serviceStatuses.map((one) => ({ value: one, label: t(`catalogue.status_${one}`) })) },
        }}
        toolbar={<DensityToggle />}
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
              <Button size="small" variant="outlined" onClick={() => begin('activate', [...chosen.values()])}>{t('catalogue.activate')}</Button>
              <Button size="small" variant="outlined" onClick={() => begin('deactivate', [...chosen.values()])}>{t('catalogue.deactivate')}</Button>
              <Button size="small" variant="outlined" color="error" onClick={() => begin('delete', [...chosen.values()])}>{t('ui.delete')}</Button>
            </>
          ),
        }}
        onRowClick={(service) => setOpen(service.id)}
      />
      {dialog}
      <ServicePanel open={open} onClose={() => setOpen(undefined)} />
    </Page>
  );
}

/** Types and categories for the filters; until they are there, what the address names counts. */
function useKinds(): { types: readonly string[]; categories: readonly string[] } {
  const [params] = useSearchParams();
  const { data } = useQuery(catalogueQueries.serviceTypes());
  return { types: data?.types ?? params.getAll('type'), categories: data?.categories ?? params.getAll('category') };
}

function useColumns(): readonly Column<Service>[] {
  const t = useCatalogueTexts();
  return [
    {
      key: 'name', label: t('catalogue.name'), sortable: true, card: 'title',
      render: (service) => <>{service.name}<Typography variant="caption" component="span" color="textSecondary" sx={{ display: 'block' }}>{service.category}</Typography></>,
    },
    { key: 'type', label: t('catalogue.type'), show: 'wide', render: (service) => service.type },
    { key: 'price', label: t('catalogue.price'), render: (service) => <PriceText service={service} /> },
    { key: 'quota', label: t('catalogue.quota'), show: 'wide', render: (service) => <QuotaText quota={service.quota} unit={service.meter.unit} /> },
    { key: 'release', label: t('catalogue.release'), render: (service) => <StatusBadge tone={releaseTones[service.releaseState]} icon={null} label={t(releaseKeys[service.releaseState])} /> },
    { key: 'status', label: t('catalogue.status'), render: (service) => <StatusBadge tone={statusTones[service.status]} label={t(`catalogue.status_${service.status}`)} /> },
  ];
}
