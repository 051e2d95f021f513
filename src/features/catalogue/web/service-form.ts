// The form of a service, as its parts share it.
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import type { ServiceFields } from './service-fields.ts';

export type ServiceForm = FormOf<ServiceFields, ServiceFields>;
