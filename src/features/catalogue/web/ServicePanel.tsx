// The panel beside the list of services: a new service, or one to change.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { isId, type Id } from '#kernel/ids.ts';
import { useBrand } from '#platform/web/brand.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useCall } from '#platform/web/queries.ts';
import { toast } from '#platform/web/toasts.ts';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { Lines } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import type { Service } from '#features/catalogue/contract.ts';
import { catalogueApi, catalogueKey, catalogueQueries } from './api.ts';
import { commas, emptyFields, fieldsOf, lines, listOf, meterOf, pricingOf, quotaOf, serviceFields, type ServiceFields } from './service-fields.ts';
import { ServiceFormParts } from './ServiceFormParts.tsx';
import { useCatalogueTexts } from './texts.ts';

/** In the address where a service's id stands otherwise. */
export const newService = 'new';
const width = 840;
const formId = 'service';

export function ServicePanel({ open, onClose }: { open: string | undefined; onClose: () => void }) {
  const currency = useBrand((brand) => brand.currency);
  if (open === newService) return <Editor initial={emptyFields(currency)} onClose={onClose} />;
  return isId('svc', open) ? <Loaded key={open} serviceId={open} onClose={onClose} /> : null;
}

function Loaded({ serviceId, onClose }: { serviceId: Id<'svc'>; onClose: () => void }) {
  const t = useCatalogueTexts();
  const query = useQuery({ ...catalogueQueries.adminGetService({ serviceId }), refetchOnWindowFocus: false });
  if (query.data) return <Editor initial={fieldsOf(query.data)} service={query.data} onClose={onClose} />;
  return (
    <SidePanel open title={t('catalogue.service_edit')} onClose={onClose} width={width}>
      {query.error ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : <Lines count={10} />}
    </SidePanel>
  );
}

function Editor({ initial, service, onClose }: { initial: ServiceFields; service?: Service; onClose: () => void }) {
  const t = useCatalogueTexts();
  const form = useZodForm(serviceFields, initial);
  const save = useSave(service, initial);
  const title = t(service ? 'catalogue.service_edit' : 'catalogue.service_add');
  const submit = async (fields: ServiceFields) => {
    await save(fields);
    toast.success(t(service ? 'catalogue.service_changed' : 'catalogue.service_made', { name: fields.name }));
    onClose();
  };
  return (
    <SidePanel
      open
      title={title}
      onClose={onClose}
      width={width}
      unsaved={form.formState.isDirty}
      footer={<><Button onClick={onClose}>{t('ui.cancel')}</Button><SubmitButton form={form} formId={formId} size="medium" disabled={service !== undefined && !form.formState.isDirty}>{t(service ? 'ui.save' : 'catalogue.service_make')}</SubmitButton></>}
    >
      <Form form={form} onSubmit={submit} id={formId} label={title}>
        <ServiceFormParts form={form} isNew={service === undefined} priceNote={service && <NewPriceNote form={form} initial={initial} />} />
      </Form>
    </SidePanel>
  );
}

const samePrice = (a: ServiceFields, b: ServiceFields): boolean => JSON.stringify(pricingOf(a)) === JSON.stringify(pricingOf(b));

/** Said as soon as the price differs: what was used keeps its old price. */
function NewPriceNote({ form, initial }: { form: ReturnType<typeof useZodForm<typeof serviceFields>>; initial: ServiceFields }) {
  const t = useCatalogueTexts();
  const fields = useWatch({ control: form.control }) as ServiceFields;
  return samePrice(fields, initial) ? null : <Alert severity="info" sx={{ marginBottom: 2 }}>{t('catalogue.new_price')}</Alert>;
}

function useSave(service: Service | undefined, initial: ServiceFields): (fields: ServiceFields) => Promise<unknown> {
  const invalidates = [catalogueKey()];
  const create = useCall(catalogueApi.createService, { invalidates });
  const update = useCall(catalogueApi.updateService, { invalidates });
  return async (fields) => {
    const { name, type, category, description, status, releaseState, billingCycle, popular, recommended } = fields;
    const own = { name, type, category, description, status, releaseState, billingCycle, popular, recommended, quota: quotaOf(fields), features: listOf(fields.features, lines), tags: listOf(fields.tags, commas) };
    const pricing = pricingOf(fields);
    // The schema has checked the same things; without a price nothing is sent.
    if (!pricing) throw new Error('the price is not complete');
    if (!service) return create.mutateAsync({ ...own, pricing, meter: meterOf(fields) });
    return update.mutateAsync({ serviceId: service.id, ...own, ...(!samePrice(fields, initial) && { pricing }) });
  };
}
