// Types of the service form and of batches, shared by their components.
import type { ReactNode } from 'react';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import type { RowSelection } from '#platform/web/ui/use-chosen-rows.ts';
import type { catalogue, Pricing, Service } from '../contract.ts';
import type { ServiceFields } from './service-fields.ts';

export type ServiceForm = FormOf<ServiceFields, ServiceFields>;
/** The cost of real usage with the price being typed. */
export type Rehearsal = (props: { readonly serviceId: Id<'svc'>; readonly pricing: Pricing }) => ReactNode;

export type BatchAction = In<typeof catalogue.batchServices>['action'];
export type ServiceFilter = NonNullable<In<typeof catalogue.batchServices>['filter']>;
/** Services chosen one by one, or all that match the list's filter. */
export type Services = RowSelection<Service, ServiceFilter>;
/** An action on services. */
export type Batch = { readonly action: BatchAction; readonly selection: Services };

/** A batch as the API call's input. */
export const wireOf = ({ action, selection }: Batch): In<typeof catalogue.batchServices> => ({
  action,
  ...('rows' in selection
    ? { ids: selection.rows.map((service) => service.id) }
    : { filter: selection.filter, expected: selection.total }),
});
