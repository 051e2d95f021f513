// What messages contain, with a preview of the next ones.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useWatch } from 'react-hook-form';
import { FieldGroup, pairs, whole } from '#platform/web/form/FieldGroup.tsx';
import { useCall } from '#platform/web/api/queries.ts';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { formats } from '../contract.ts';
import { eventStreamsApi } from './api.ts';
import { PreviewMessages } from './PreviewMessages.tsx';
import { exampleExpression } from './stream-fields.ts';
import type { Part } from './StreamSourceFields.tsx';

export function MessageFields({ form, stream }: Part) {
  const { t } = useTranslation('eventstreams');
  const [format, expression] = useWatch({ control: form.control, name: ['format', 'expression'] });
  const preview = useCall(eventStreamsApi.previewEventStream);
  const look = async () => {
    if (!stream || !(await form.trigger('expression'))) return;
    preview.mutate({ streamId: stream.id, format, expression });
  };
  return (
    <>
      <FieldGroup title={t('eventstreams.section_messages')}>
        <Box sx={pairs}>
          {/* used as: 'eventstreams.format_*' */}
          <SelectField
            form={form}
            name="format"
            label={t('eventstreams.format')}
            options={formats.map((value) => ({ value, label: t(`eventstreams.format_${value}`) }))}
          />
          {format === 'mapped' && (
            <Box sx={whole}>
              <TextField
                form={form}
                name="expression"
                label={t('eventstreams.expression')}
                help={t('eventstreams.expression_help')}
                rows={7}
                code
                required
              />
              {expression.trim() === '' && (
                <Box sx={{ marginTop: 1 }}>
                  <CodeBlock code={exampleExpression} label={t('eventstreams.expression')} />
                </Box>
              )}
            </Box>
          )}
        </Box>
      </FieldGroup>
      {stream && (
        <FieldGroup
          title={t('eventstreams.preview')}
          action={
            <Button variant="outlined" size="small" loading={preview.isPending} onClick={() => void look()}>
              {t('eventstreams.preview')}
            </Button>
          }
        >
          <PreviewMessages tried={preview.data} />
        </FieldGroup>
      )}
    </>
  );
}
