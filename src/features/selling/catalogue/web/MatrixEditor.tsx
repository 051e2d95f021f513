// The rates of a matrix as a grid: a column for each dimension, one for the price; cells of a spreadsheet can be pasted.
import AddOutlined from '~icons/ic/outline-add';
import DeleteOutlined from '~icons/ic/outline-delete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormHelperText from '@mui/material/FormHelperText';
import OutlinedInput from '@mui/material/OutlinedInput';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, type ClipboardEvent } from 'react';
import { useController, useWatch, type FieldPath } from 'react-hook-form';
import { useProblemText } from '#platform/web/form/Field.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import type { ServiceFields } from './service-fields.ts';
import type { ServiceForm } from './service-form.ts';
import { isCells, withPasted } from './matrix-paste.ts';

/** The contract's most. */
const maxRates = 500;
const maxDimensions = 5;

export function MatrixEditor({ form, index }: { form: ServiceForm; index: number }) {
  const { t } = useTranslation('catalogue');
  const id = useId();
  const at = `charges.${index}` as const;
  const [dimensions, rates, currency] = useWatch({
    control: form.control,
    name: [`${at}.dimensions`, `${at}.rates`, 'currency'],
  });
  const write = (next: Pick<ServiceFields['charges'][number], 'dimensions' | 'rates'>): void => {
    form.setValue(`${at}.dimensions`, [...next.dimensions], { shouldDirty: true });
    form.setValue(`${at}.rates`, [...next.rates], { shouldDirty: true });
    if (form.formState.submitCount > 0) void form.trigger(at);
  };
  const paste = (event: ClipboardEvent, row: number): void => {
    const text = event.clipboardData.getData('text/plain');
    if (!isCells(text)) return;
    event.preventDefault();
    const pasted = withPasted({ dimensions, rates }, text, row, maxRates);
    write({ ...pasted, dimensions: pasted.dimensions.slice(0, maxDimensions) });
  };
  const withoutColumn = (column: number) => ({
    dimensions: dimensions.toSpliced(column, 1),
    rates: rates.map((rate) => ({ ...rate, values: rate.values.toSpliced(column, 1) })),
  });
  const nameOf = (column: number): string =>
    dimensions[column] || t('catalogue.matrix_dimension', { number: column + 1 });
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <Typography id={id} variant="subtitle2" component="h4">
        {t('catalogue.matrix')}
      </Typography>
      <Typography variant="caption" color="textSecondary">
        {t('catalogue.matrix_help')}
      </Typography>
      <Box sx={{ overflowX: 'auto', paddingBlock: '4px' }} tabIndex={0} role="region" aria-labelledby={id}>
        <Box
          component="table"
          aria-labelledby={id}
          sx={{
            borderCollapse: 'collapse',
            width: '100%',
            minWidth: 130 * (dimensions.length + 1) + 44,
            '& th, & td': { padding: '0 8px 8px 0', textAlign: 'start', verticalAlign: 'top' },
          }}
        >
          <thead>
            <tr>
              {dimensions.map((_, column) => (
                <th key={column} scope="col">
                  <Stack direction="row" sx={{ alignItems: 'flex-start' }}>
                    <Cell
                      form={form}
                      name={`${at}.dimensions.${column}`}
                      label={t('catalogue.matrix_dimension', { number: column + 1 })}
                      isBold
                    />
                    {dimensions.length > 1 && (
                      <IconAction
                        size="small"
                        label={t('catalogue.matrix_column_remove', { name: nameOf(column) })}
                        onClick={() => write(withoutColumn(column))}
                      >
                        <DeleteOutlined />
                      </IconAction>
                    )}
                  </Stack>
                </th>
              ))}
              <Box component="th" scope="col" sx={{ fontSize: '0.8125rem', lineHeight: '40px', minWidth: 130 }}>
                {t('catalogue.unit_price')}
              </Box>
              <td />
            </tr>
          </thead>
          <tbody>
            {rates.map((rate, row) => (
              <tr key={row} onPaste={(event) => paste(event, row)}>
                {dimensions.map((_, column) => (
                  <td key={column}>
                    <Cell
                      form={form}
                      name={`${at}.rates.${row}.values.${column}`}
                      label={t('catalogue.matrix_cell', { name: nameOf(column), number: row + 1 })}
                      placeholder={t('catalogue.matrix_any')}
                    />
                  </td>
                ))}
                <td>
                  {rate.agreed === '' ? (
                    <Cell
                      form={form}
                      name={`${at}.rates.${row}.unitPrice`}
                      label={t('catalogue.matrix_cell', {
                        name: t('catalogue.unit_price'),
                        number: row + 1,
                      })}
                      start={currency}
                      isNumber
                    />
                  ) : (
                    <Typography variant="body2" color="textSecondary" sx={{ paddingTop: '9px' }}>
                      {t('catalogue.matrix_agreed')}
                    </Typography>
                  )}
                </td>
                <td>
                  {rates.length > 1 && (
                    <IconAction
                      label={t('catalogue.matrix_row_remove', { number: row + 1 })}
                      onClick={() => write({ dimensions, rates: rates.toSpliced(row, 1) })}
                    >
                      <DeleteOutlined />
                    </IconAction>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </Box>
      </Box>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        <Button
          size="small"
          startIcon={<AddOutlined />}
          disabled={rates.length >= maxRates}
          onClick={() =>
            write({
              dimensions,
              rates: [...rates, { values: dimensions.map(() => ''), unitPrice: '', agreed: '' }],
            })
          }
        >
          {t('catalogue.matrix_row_add')}
        </Button>
        <Button
          size="small"
          startIcon={<AddOutlined />}
          disabled={dimensions.length >= maxDimensions}
          onClick={() =>
            write({
              dimensions: [...dimensions, ''],
              rates: rates.map((rate) => ({ ...rate, values: [...rate.values, ''] })),
            })
          }
        >
          {t('catalogue.matrix_column_add')}
        </Button>
      </Stack>
    </Box>
  );
}

/** An input of the grid: its column and row name it, and its problem is below it. */
function Cell({
  form,
  name,
  label,
  placeholder,
  start,
  isBold = false,
  isNumber = false,
}: {
  form: ServiceForm;
  name: FieldPath<ServiceFields>;
  label: string;
  placeholder?: string;
  start?: string;
  isBold?: boolean;
  isNumber?: boolean;
}) {
  const id = useId();
  const { field, fieldState } = useController({ control: form.control, name });
  const problem = useProblemText(label, fieldState.error?.message);
  return (
    <Box sx={{ minWidth: 110, flex: 1 }}>
      <OutlinedInput
        size="small"
        fullWidth
        name={field.name}
        value={typeof field.value === 'string' ? field.value : ''}
        onChange={field.onChange}
        onBlur={field.onBlur}
        inputRef={field.ref}
        error={problem !== undefined}
        {...(placeholder !== undefined && { placeholder })}
        {...(start !== undefined && {
          startAdornment: (
            <Typography variant="caption" color="textSecondary" sx={{ marginInlineEnd: '6px' }}>
              {start}
            </Typography>
          ),
        })}
        autoComplete="off"
        slotProps={{
          input: {
            'aria-label': label,
            ...(problem !== undefined && { 'aria-describedby': id }),
            ...(isNumber && { inputMode: 'decimal' }),
            style: isBold ? { fontWeight: 700 } : {},
          },
        }}
      />
      {problem !== undefined && (
        <FormHelperText id={id} error>
          {problem}
        </FormHelperText>
      )}
    </Box>
  );
}
