// How each service is taxed, and the dialog that changes it.
import { useState } from 'react';
import * as z from 'zod/mini';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { serviceCategories, type ServiceTax } from '../contract.ts';
import { taxesApi, taxesKey, taxesQueries } from './api.ts';

export function ServiceTaxes() {
  const { t } = useTranslation('taxes');
  const [changing, setChanging] = useState<ServiceTax>();
  const state = useTableState({ sort: 'category', prefix: 'service-' });
  const query = usePagedQuery(taxesQueries.listServiceTaxes(state.query));
  // used as: 'taxes.category_*'
  const columns: readonly Column<ServiceTax>[] = [
    {
      key: 'name',
      label: t('taxes.service'),
      card: 'title',
      sortable: true,
      render: ({ name }) => name,
    },
    {
      key: 'category',
      label: t('taxes.category'),
      sortable: true,
      render: ({ category }) => t(`taxes.category_${category}`),
    },
  ];
  return (
    <>
      <DataTable
        list="service-taxes"
        label={t('taxes.services')}
        title={t('taxes.services')}
        lead={t('taxes.services_lead')}
        columns={columns}
        query={query}
        state={state}
        rowKey={(one) => one.serviceId}
        rowName={({ name }) => name}
        searchLabel={t('taxes.services_search')}
        empty={<EmptyState compact title={t('taxes.services_empty')} hint={t('taxes.services_empty_hint')} />}
        rowActions={(one) => [{ label: t('taxes.change_service'), onClick: () => setChanging(one) }]}
      />
      {changing && <ServiceTaxDialog service={changing} onClose={() => setChanging(undefined)} />}
    </>
  );
}

const shape = z.strictObject({ category: z.enum(serviceCategories) });

function ServiceTaxDialog({ service, onClose }: { service: ServiceTax; onClose: () => void }) {
  const { t } = useTranslation('taxes');
  const { name, serviceId } = service;
  const form = useZodForm(shape, { category: service.category });
  const save = useCall(taxesApi.setServiceTax, {
    invalidates: [taxesKey('listServiceTaxes')],
    onSuccess: () => toast.success(t('taxes.service_saved', { name })),
  });
  const title = t('taxes.service_title', { name });
  return (
    <FormDialog
      form={form}
      title={title}
      confirm={t('taxes.save')}
      onSubmit={async ({ category }) => {
        await save.mutateAsync({ serviceId, category });
      }}
      onClose={onClose}
    >
      {/* used as: 'taxes.service_help_*' */}
      <SelectField
        form={form}
        name="category"
        label={t('taxes.category')}
        help={t(`taxes.service_help_${form.watch('category')}`)}
        options={serviceCategories.map((value) => ({ value, label: t(`taxes.category_${value}`) }))}
      />
    </FormDialog>
  );
}
