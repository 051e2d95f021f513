// The form that creates or changes a connector, in its panel. A change is rejected if another user has
// changed the connector in the meantime.
import { useCall } from '#platform/web/api/queries.ts';
import { FormPanel } from '#platform/web/form/FormPanel.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { Connector } from '../contract.ts';
import { connectorsApi, connectorsKey } from './api.ts';
import {
  changesOf,
  connectorFields,
  fieldsOf,
  newConnectorOf,
  type ConnectorFields,
} from './connector-fields.ts';
import { MappingFields } from './MappingFields.tsx';
import { SourceFields } from './SourceFields.tsx';

export type ConnectorEditorProps = {
  /** The connector to change; undefined to create one. */
  readonly connector?: Connector;
  readonly onClose: () => void;
  readonly onSaved: (saved: Connector) => void;
};

export function ConnectorEditor({ connector, onClose, onSaved }: ConnectorEditorProps) {
  const { t } = useTranslation('connectors');
  const form = useZodForm(connectorFields, fieldsOf(connector));
  const invalidates = [connectorsKey()];
  const create = useCall(connectorsApi.createConnector, { invalidates });
  const update = useCall(connectorsApi.updateConnector, { invalidates });
  const submit = async (fields: ConnectorFields) => {
    const saved = connector
      ? await update.mutateAsync(changesOf(connector, fields))
      : await create.mutateAsync(newConnectorOf(fields));
    toast.success(t(connector ? 'connectors.saved' : 'connectors.created', { name: fields.name }));
    onSaved(saved);
  };
  const title = connector ? t('connectors.edit_title', { name: connector.name }) : t('connectors.add');
  return (
    <FormPanel
      form={form}
      title={title}
      submitLabel={t(connector ? 'ui.save' : 'connectors.create')}
      isEdit={connector !== undefined}
      width={860}
      onSubmit={submit}
      onClose={onClose}
    >
      <SourceFields form={form} connector={connector} />
      <MappingFields form={form} connector={connector} />
    </FormPanel>
  );
}
