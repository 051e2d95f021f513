// The props of every section of a connector's form.
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import type { Connector } from '../contract.ts';
import type { ConnectorFields } from './connector-fields.ts';

export type Part = {
  readonly form: FormOf<ConnectorFields, ConnectorFields>;
  readonly connector: Connector | undefined;
};
