// The JSON Schema of events' data, validated by the server while typing, with the same check as on saving.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { FieldValues } from 'react-hook-form';
import { readJson } from '#kernel/parse-json.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { TextField } from '#platform/web/form/TextField.tsx';
import type { InForm } from '#platform/web/form/use-zod-form.ts';
import { useDebounced } from '#platform/web/form/use-debounced.ts';
import type { DataSchema } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { schemaOf } from '../rules.ts';
import { metersQueries } from './api.ts';

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

/**
 * `written` is the field's text. `property` is the property whose values the meter uses, '' for none; the
 * example needs it.
 */
export function SchemaField<In extends FieldValues, Sent>({
  form,
  name,
  written,
  property,
  onExample,
}: InForm<In, Sent> & {
  readonly written: string;
  readonly property: string;
  /** Puts an example into the field. */
  readonly onExample: (example: string) => void;
}) {
  const { t } = useTranslation('meters');
  const schema = schemaOf(written);
  return (
    <Box sx={{ marginTop: 2, display: 'grid', gap: 0.5 }}>
      <TextField
        form={form}
        name={name}
        rows={written === '' ? 2 : 6}
        code
        autoComplete="off"
        label={t('meters.schema')}
        help={t('meters.schema_help')}
      />
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', flexWrap: 'wrap', minHeight: 32 }}>
        {written.trim() === '' && (
          <Button size="small" onClick={() => onExample(example(property))}>
            {t('meters.schema_example')}
          </Button>
        )}
        {schema === undefined && <Verdict reason={jsonIssue(written)} />}
        {schema && <Judged schema={schema} />}
      </Box>
    </Box>
  );
}

/** Why a text is not JSON; for JSON that is not an object, what is expected. */
function jsonIssue(written: string): string {
  const read = readJson(written);
  return 'reason' in read ? read.reason : '{ … }';
}

function Judged({ schema }: { schema: DataSchema }) {
  const checkInput = useDebounced({ dataSchema: schema });
  const query = usePagedQuery(metersQueries.checkDataSchema(checkInput));
  return query.data ? <Verdict reason={query.data.reason} /> : null;
}

/** `reason` is the error; null if there is none. */
function Verdict({ reason }: { reason: string | null }) {
  const { t } = useTranslation('meters');
  return (
    <Typography
      role="status"
      variant="caption"
      sx={{ color: reason === null ? 'success.main' : 'error.main', overflowWrap: 'anywhere' }}
    >
      {reason === null ? t('meters.schema_right') : t('meters.schema_wrong', { reason })}
    </Typography>
  );
}
