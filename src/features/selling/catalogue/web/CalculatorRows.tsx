// The calculator's input for one charge: a number, or a row for each combination of values or each event.
import AddOutlined from '~icons/ic/outline-add';
import DeleteOutlined from '~icons/ic/outline-delete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import InputAdornment from '@mui/material/InputAdornment';
import MuiTextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { wrappingLabel } from '#platform/web/form/Field.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import type { Charge } from '#features/selling/rating/contract.ts';
import { columnsOf } from './rate-fields.ts';
import { countOf, hasRows, quantityOf, sample, type SampleFields } from './samples.ts';

export type CalculatorRowsProps = {
  readonly name: string;
  readonly charge: Charge;
  /** The dimensions of its meter. */
  readonly dimensions: readonly string[];
  readonly unit: string;
  readonly samples: readonly SampleFields[];
  readonly onChange: (samples: readonly SampleFields[]) => void;
};

export function CalculatorRows(props: CalculatorRowsProps) {
  const { name, charge, unit, samples, onChange } = props;
  const { t } = useTranslation('catalogue');
  if (hasRows(charge)) return <Rows {...props} />;
  const value = samples[0]?.value ?? '';
  return (
    <Quantity
      label={t(charge.kind === 'usage' ? 'catalogue.calculator_usage' : 'catalogue.calculator_quantity', {
        charge: name,
      })}
      wraps
      unit={unit}
      value={value}
      onChange={(next) => onChange([{ ...(samples[0] ?? sample('')), value: next }])}
    />
  );
}

function Quantity({
  label,
  unit,
  value,
  wraps = false,
  onChange,
}: {
  label: string;
  unit: string;
  value: string;
  /** Whether the label contains a charge's name, which may be long. */
  wraps?: boolean;
  onChange: (value: string) => void;
}) {
  return (
    <MuiTextField
      fullWidth
      size="small"
      label={label}
      value={value}
      error={quantityOf(value) === undefined}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{
        htmlInput: { autoComplete: 'off', maxLength: 80 },
        ...(wraps && { inputLabel: { shrink: true, sx: wrappingLabel } }),
        input: {
          ...(wraps && { label: '', notched: false }),
          endAdornment:
            unit === '' ? undefined : (
              <InputAdornment position="end" sx={{ whiteSpace: 'nowrap', flexShrink: 0 }}>
                {unit}
              </InputAdornment>
            ),
        },
      }}
    />
  );
}

/**
 * A row for each combination of values to calculate; a charge by events without dimensions has a row for each
 * event.
 */
function Rows({ name, charge, dimensions, unit, samples, onChange }: CalculatorRowsProps) {
  const { t } = useTranslation('catalogue');
  const id = useId();
  const rates = charge.model === 'matrix' ? charge.rates : [];
  const columns = charge.model === 'percentage' ? [] : columnsOf(dimensions, rates);
  const change = (uid: string, to: Partial<SampleFields>): void =>
    onChange(samples.map((each) => (each.uid === uid ? { ...each, ...to } : each)));
  const valuesOf = (column: string): readonly string[] => [
    ...new Set(rates.flatMap(({ when }) => when[column] ?? [])),
  ];
  return (
    <Box role="group" aria-label={name} sx={{ display: 'grid', gap: 1.5 }}>
      <Typography variant="subtitle2" component="p">
        {name}
      </Typography>
      {columns.map((column) => (
        <datalist key={column} id={`${id}-${column}`}>
          {valuesOf(column).map((value) => (
            <option key={value} value={value}>
              {value}
            </option>
          ))}
        </datalist>
      ))}
      {samples.map(({ uid, when, value, count }, index) => (
        <Box
          key={uid}
          role="group"
          aria-label={t('catalogue.calculator_row', { charge: name, number: index + 1 })}
          sx={{
            display: 'grid',
            gap: 1,
            alignItems: 'center',
            gridTemplateColumns: 'minmax(0, 1fr) 36px',
          }}
        >
          <Box sx={{ display: 'grid', gap: 1.25 }}>
            <Box sx={{ display: 'grid', gap: 1, gridAutoColumns: 'minmax(0, 1fr)', gridAutoFlow: 'column' }}>
              {charge.model === 'percentage' && (
                <MuiTextField
                  size="small"
                  label={t('catalogue.calculator_events')}
                  value={count ?? '1'}
                  error={countOf(count) === undefined}
                  onChange={(event) => change(uid, { count: event.target.value })}
                  slotProps={{ htmlInput: { autoComplete: 'off', inputMode: 'numeric', maxLength: 6 } }}
                />
              )}
              <Quantity
                label={t(
                  charge.model === 'percentage' ? 'catalogue.calculator_each' : 'catalogue.calculator_value',
                )}
                unit={unit}
                value={value}
                onChange={(next) => change(uid, { value: next })}
              />
            </Box>
            {columns.length > 0 && (
              <Box
                sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'repeat(auto-fit, minmax(96px, 1fr))' }}
              >
                {columns.map((column) => (
                  <MuiTextField
                    key={column}
                    size="small"
                    label={column}
                    value={when[column] ?? ''}
                    onChange={(event) => change(uid, { when: { ...when, [column]: event.target.value } })}
                    slotProps={{
                      htmlInput: { autoComplete: 'off', maxLength: 100, list: `${id}-${column}` },
                    }}
                  />
                ))}
              </Box>
            )}
          </Box>
          <IconAction
            label={t('catalogue.calculator_row_remove', { number: index + 1 })}
            disabled={samples.length === 1}
            onClick={() => onChange(samples.filter((each) => each.uid !== uid))}
          >
            <DeleteOutlined />
          </IconAction>
        </Box>
      ))}
      <Button
        size="small"
        startIcon={<AddOutlined />}
        sx={{ justifySelf: 'start' }}
        onClick={() => onChange([...samples, sample('1', samples.at(-1)?.when ?? {})])}
      >
        {t('catalogue.calculator_row_add')}
      </Button>
    </Box>
  );
}
