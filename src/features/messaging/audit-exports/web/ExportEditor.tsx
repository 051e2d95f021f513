// The form of a destination of the audit log in its panel.
import Box from '@mui/material/Box';
import { useWatch } from 'react-hook-form';
import { useCall } from '#platform/web/api/queries.ts';
import { BucketFields } from '#platform/web/form/BucketFields.tsx';
import { FieldGroup, pairs, whole } from '#platform/web/form/FieldGroup.tsx';
import { FormPanel } from '#platform/web/form/FormPanel.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { starts, targetKinds, type AuditExport } from '../contract.ts';
import { auditExportsApi, auditExportsKey } from './api.ts';
import {
  changesOf,
  exportFields,
  fieldsOf,
  newExportOf,
  type ExportFields,
  type ExportForm,
} from './export-fields.ts';

export function ExportEditor({
  shown,
  onClose,
  onSaved,
}: {
  /** The destination to change; undefined for a new one. */
  shown?: AuditExport;
  onClose: () => void;
  /** Called with the secret that signs webhooks, which is returned only once, for a new one. */
  onSaved: (saved: AuditExport, secret: string | null) => void;
}) {
  const { t } = useTranslation('auditexports');
  const form = useZodForm(exportFields, fieldsOf(shown));
  const invalidates = [auditExportsKey()];
  const create = useCall(auditExportsApi.createAuditExport, { invalidates });
  const update = useCall(auditExportsApi.updateAuditExport, { invalidates });
  const submit = async (fields: ExportFields) => {
    const { export: saved, secret } = shown
      ? { export: await update.mutateAsync(changesOf(shown, fields)), secret: null }
      : await create.mutateAsync(newExportOf(fields));
    toast.success(t(shown ? 'auditexports.saved' : 'auditexports.created', { name: fields.name }));
    onSaved(saved, secret);
  };
  return (
    <FormPanel
      form={form}
      title={shown ? t('auditexports.edit_title', { name: shown.name }) : t('auditexports.add')}
      submitLabel={t(shown ? 'ui.save' : 'auditexports.create')}
      isEdit={shown !== undefined}
      width={860}
      onSubmit={submit}
      onClose={onClose}
    >
      <FieldGroup title={t('auditexports.section_target')}>
        <Box sx={pairs}>
          <TextField form={form} name="name" label={t('auditexports.name')} autoComplete="off" required />
          {/* used as: 'auditexports.kind_*', 'auditexports.start_*' */}
          <SelectField
            form={form}
            name="target.kind"
            label={t('auditexports.kind')}
            disabled={shown !== undefined}
            options={targetKinds.map((value) => ({ value, label: t(`auditexports.kind_${value}`) }))}
          />
          <TargetFields form={form} isKept={shown !== undefined} />
          {!shown && (
            <SelectField
              form={form}
              name="start"
              label={t('auditexports.start')}
              options={starts.map((value) => ({ value, label: t(`auditexports.start_${value}`) }))}
            />
          )}
        </Box>
      </FieldGroup>
    </FormPanel>
  );
}

function TargetFields({ form, isKept }: { form: ExportForm; isKept: boolean }) {
  const { t } = useTranslation('auditexports');
  const kind = useWatch({ control: form.control, name: 'target.kind' });
  if (kind === 'webhook')
    return (
      <Box sx={whole}>
        <TextField
          form={form}
          name="target.url"
          label={t('auditexports.url')}
          help={t('auditexports.url_help')}
          autoComplete="off"
          required
        />
      </Box>
    );
  if (kind === 'bucket')
    return (
      <BucketFields
        form={form}
        nameOf={(field) => `target.${field}` as const}
        secretName="secretAccessKey"
        prefixHelp={t('auditexports.prefix_help')}
        isKept={isKept}
      />
    );
  return (
    <>
      <TextField form={form} name="target.host" label={t('auditexports.host')} autoComplete="off" required />
      <TextField
        form={form}
        name="target.port"
        label={t('auditexports.port')}
        inputMode="numeric"
        autoComplete="off"
        required
      />
      <SelectField
        form={form}
        name="target.isTls"
        label={t('auditexports.encryption')}
        help={t('auditexports.encryption_help')}
        options={[
          { value: 'tls', label: 'TLS' },
          { value: 'plain', label: t('auditexports.encryption_none') },
        ]}
      />
      <Box sx={whole}>
        <TextField
          form={form}
          name="target.authority"
          label={t('auditexports.authority')}
          help={t('auditexports.authority_help')}
          rows={2}
          autoComplete="off"
        />
      </Box>
    </>
  );
}
