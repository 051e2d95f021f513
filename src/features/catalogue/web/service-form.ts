// The form of a service and what is done with several, as their parts share it.
import type { ReactNode } from 'react';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import type { catalogue, Pricing, Service } from '#features/catalogue/contract.ts';
import type { ServiceFields } from './service-fields.ts';

export type ServiceForm = FormOf<ServiceFields, ServiceFields>;
/** What real usage would have cost with a price that is being typed. */
export type Rehearsal = (props: { readonly serviceId: Id<'svc'>; readonly pricing: Pricing }) => ReactNode;

export type BatchAction = In<typeof catalogue.batchServices>['action'];
/** Something that is to be done to services. */
export type Batch = { readonly action: BatchAction; readonly services: readonly Service[] };
