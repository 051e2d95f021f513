// The form of a connector in its panel: makes one, or changes one unless another user changed it meanwhile.
import Button from '@mui/material/Button';
import { useCall } from '#platform/web/api/queries.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
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

const formId = 'connector';

export type ConnectorEditorProps = {
  /** The connector to change; left out for a new one. */
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
    <SidePanel
      open
      title={title}
      width={860}
      onClose={onClose}
      unsaved={form.formState.isDirty && !form.formState.isSubmitSuccessful}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <SubmitButton form={form} formId={formId} size="medium">
            {t(connector ? 'ui.save' : 'connectors.create')}
          </SubmitButton>
        </>
      }
    >
      <Form form={form} onSubmit={submit} id={formId} label={title}>
        <SourceFields form={form} connector={connector} />
        <MappingFields form={form} connector={connector} />
      </Form>
    </SidePanel>
  );
}
