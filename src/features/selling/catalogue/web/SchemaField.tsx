// The JSON Schema of events' data, validated by the server while typing, with the same check as when it is
// saved.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useDebounced } from '#platform/web/form/use-debounced.ts';
import type { DataSchema } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { catalogueQueries } from './api.ts';
import { schemaOf } from './service-fields.ts';
import type { ServiceForm } from './service-form.ts';

const example = (property: string): string =>
  JSON.stringify(
    {
      type: 'object',
      required: ['value', ...(property === '' ? [] : [property])],
      properties: {
        value: { type: ['string', 'number'] },
        [property === '' ? 'region' : property]:
          property === '' ? { enum: ['tpe', 'khh'] } : { type: 'string', minLength: 1 },
      },
    },
    null,
    2,
  );

export function SchemaField({ form }: { form: ServiceForm }) {
  const { t } = useTranslation('catalogue');
  const [written, property] = useWatch({ control: form.control, name: ['dataSchema', 'property'] });
  const schema = schemaOf(written);
  return (
    <Box sx={{ marginTop: 2, display: 'grid', gap: 0.5 }}>
      <TextField
        form={form}
        name="dataSchema"
        rows={written === '' ? 2 : 6}
        code
        autoComplete="off"
        label={t('catalogue.schema')}
        help={t('catalogue.schema_help')}
      />
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', flexWrap: 'wrap', minHeight: 32 }}>
        {written.trim() === '' && (
          <Button
            size="small"
            onClick={() =>
              form.setValue('dataSchema', example(property), { shouldDirty: true, shouldValidate: true })
            }
          >
            {t('catalogue.schema_example')}
          </Button>
        )}
        {schema === undefined && <Verdict reason={jsonIssue(written)} />}
        {schema && <Judged schema={schema} />}
      </Box>
    </Box>
  );
}

/** The position at which the text stops being valid JSON. */
function jsonIssue(written: string): string {
  try {
    JSON.parse(written);
    return '{ … }';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function Judged({ schema }: { schema: DataSchema }) {
  const checkInput = useDebounced({ dataSchema: schema });
  const query = useQuery({
    ...catalogueQueries.checkDataSchema(checkInput),
    placeholderData: keepPreviousData,
  });
  return query.data ? <Verdict reason={query.data.reason} /> : null;
}

/** `reason` is what is wrong; null: nothing. */
function Verdict({ reason }: { reason: string | null }) {
  const { t } = useTranslation('catalogue');
  return (
    <Typography
      role="status"
      variant="caption"
      sx={{ color: reason === null ? 'success.main' : 'error.main', overflowWrap: 'anywhere' }}
    >
      {reason === null ? t('catalogue.schema_right') : t('catalogue.schema_wrong', { reason })}
    </Typography>
  );
}
