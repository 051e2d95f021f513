// The rates of a matrix as a grid: a column for each dimension and one for the price, with keyboard
// navigation like in a spreadsheet.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import { useController, useFormState, useWatch } from 'react-hook-form';
import { useProblemText } from '#platform/web/form/Field.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TickBox } from '#platform/web/form/TickBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { VisuallyHidden } from '#platform/web/ui/VisuallyHidden.tsx';
import { maxRates, tierScopes } from '#features/selling/rating/contract.ts';
import { useChargeMeter } from './known-meters.ts';
import { MatrixRow, type RowActions, type RowProblems } from './MatrixRow.tsx';
import { gridLook } from './matrix-look.ts';
import { columnsOf, emptyRate, isForAll, type RateFields } from './rate-fields.ts';
import { columnIn, fillDown, mergeRates, readRateTable, withRate, type Taken } from './rate-table.ts';
import { RateTableTools, TakenRates } from './RateTableTools.tsx';
import type { ServiceForm } from './service-form.ts';

type Cell = { readonly row: number; readonly column: number };

/** What is announced after rows change, and the cell that is focused then. */
type Next = { readonly announcement: string; readonly cell: Cell };

export function MatrixEditor({ form, index }: { form: ServiceForm; index: number }) {
  const { t } = useTranslation('catalogue');
  const id = useId();
  const name = `charges.${index}.rates` as const;
  const grid = useRef<HTMLTableElement>(null);
  const { field } = useController({ control: form.control, name });
  const rates = field.value as readonly RateFields[];
  const [currency, meterKey] = useWatch({
    control: form.control,
    name: ['currency', `charges.${index}.meter`],
  });
  const { meter, isLoading } = useChargeMeter(form, index);
  const dimensions = meter?.dimensions ?? [];
  const columns = columnsOf(dimensions, rates);
  const strays = meter ? columns.filter((column) => !dimensions.includes(column)) : [];
  const problems = useRowProblems(form, index);
  const [taken, setTaken] = useState<Taken>();
  const [next, setNext] = useState<Next>();
  const focusCell = ({ row, column }: Cell): boolean => {
    const cell = grid.current?.querySelector<HTMLInputElement>(
      `[data-row="${row}"][data-column="${column}"]`,
    );
    cell?.focus();
    cell?.select();
    return cell !== undefined && cell !== null;
  };
  useEffect(() => {
    if (next) focusCell(next.cell);
  }, [next]);
  const set = (changed: readonly RateFields[]): void => field.onChange(changed);
  const actions = useRateActions(rates, set);
  const add = (column: number, isLast = false): void => {
    if (rates.length >= maxRates) return;
    const rate = emptyRate();
    const changed = isLast ? [...rates, rate] : withRate(rates, rate);
    const row = changed.indexOf(rate);
    set(changed);
    setNext({ announcement: t('catalogue.rate_added', { number: row + 1 }), cell: { row, column } });
  };
  const take = (text: string): void => {
    const { rates: read, issues } = readRateTable(text, columns, [
      t('catalogue.unit_price'),
      t('catalogue.price'),
      'price',
    ]);
    const { rates: merged, ...counts } = mergeRates(rates, read);
    if (counts.added + counts.changed > 0) set(merged.length === 0 ? [emptyRate()] : merged);
    setTaken({ ...counts, issues });
  };
  const onPaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text/plain');
    const column = columnIn(text);
    const at = cellOf(event.target);
    if (column === undefined && !text.includes('\t')) return;
    event.preventDefault();
    if (column !== undefined && at && columns.length > 0) {
      set(fillDown(rates, column, at.row, columns[at.column]));
      setTaken(undefined);
    } else take(text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = cellOf(event.target);
    if (!at || event.nativeEvent.isComposing) return;
    const rate = rates[at.row];
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault();
      const by = event.key === 'ArrowUp' ? -1 : 1;
      if (!rate || at.row + by < 0 || at.row + by >= rates.length) return;
      actions.move(rate.uid, by);
      setNext({
        announcement: t('catalogue.rate_moved', { number: at.row + by + 1 }),
        cell: { ...at, row: at.row + by },
      });
      return;
    }
    const to = cellAfter(event, at);
    if (!to) return;
    event.preventDefault();
    if (!focusCell(to) && event.key === 'Enter' && !event.shiftKey) add(at.column);
  };
  const isAllPriced = rates.some(isForAll);
  return (
    <Box sx={{ display: 'grid', gap: 1.5, minWidth: 0 }}>
      {meterKey === '' && <Alert severity="info">{t('catalogue.matrix_needs_meter')}</Alert>}
      {meter && !isLoading && dimensions.length === 0 && (
        <Alert severity="warning">{t('catalogue.matrix_no_dimensions', { meter: meter.name })}</Alert>
      )}
      <StrayColumns
        columns={strays}
        meter={meter?.name ?? ''}
        onRemove={(column) => set(rates.map((rate) => ({ ...rate, when: { ...rate.when, [column]: '' } })))}
      />
      <RateTableTools
        columns={columns}
        rates={rates}
        canTake={columns.length > 0}
        onTake={take}
        fileName={form.getValues(`charges.${index}.key`) || 'rates'}
      />
      {taken && <TakenRates taken={taken} onClose={() => setTaken(undefined)} />}
      <Box onPaste={onPaste} onKeyDown={onKeyDown} onBlur={field.onBlur} sx={gridLook}>
        <table ref={grid} aria-label={t('catalogue.rates')} aria-describedby={`${id}-help`}>
          <RateHead columns={columns} currency={currency} unit={meter?.unit} />
          <tbody>
            {rates.map((rate, row) => (
              <MatrixRow
                key={rate.uid}
                rate={rate}
                row={row}
                isLast={row === rates.length - 1}
                columns={columns}
                currency={currency}
                problems={problems(row)}
                actions={actions}
              />
            ))}
          </tbody>
        </table>
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        <Button size="small" variant="outlined" disabled={rates.length >= maxRates} onClick={() => add(0)}>
          {t('catalogue.rate_add')}
        </Button>
        {!isAllPriced && (
          <Button size="small" disabled={rates.length >= maxRates} onClick={() => add(columns.length, true)}>
            {t('catalogue.rate_add_all')}
          </Button>
        )}
        <Typography id={`${id}-help`} variant="caption" color="textSecondary" sx={{ flex: '1 1 240px' }}>
          {rates.length >= maxRates && `${t('form.most_entries', { most: maxRates })} · `}
          {isAllPriced && `${t('catalogue.matrix_all_priced')} `}
          {t('catalogue.matrix_keys')}
        </Typography>
      </Box>
      {!isAllPriced && <Unmatched form={form} index={index} />}
      {rates.some(({ agreed }) => agreed !== '') && <TierScope form={form} index={index} />}
      <VisuallyHidden live>{next?.announcement}</VisuallyHidden>
    </Box>
  );
}

/**
 * The actions of rows on the rates. Rows are rendered again only if they change, so these functions are
 * stable.
 */
function useRateActions(
  rates: readonly RateFields[],
  set: (changed: readonly RateFields[]) => void,
): RowActions {
  const latest = useRef({ rates, set });
  useEffect(() => {
    latest.current = { rates, set };
  });
  const [actions] = useState(() => ({
    change: (uid: string, change: Partial<RateFields>): void =>
      latest.current.set(
        latest.current.rates.map((rate) => (rate.uid === uid ? { ...rate, ...change } : rate)),
      ),
    remove: (uid: string): void =>
      latest.current.set(latest.current.rates.filter((rate) => rate.uid !== uid)),
    move: (uid: string, by: -1 | 1): void => {
      const from = latest.current.rates.findIndex((rate) => rate.uid === uid);
      const moved = latest.current.rates[from];
      if (!moved || from + by < 0 || from + by >= latest.current.rates.length) return;
      latest.current.set(latest.current.rates.toSpliced(from, 1).toSpliced(from + by, 0, moved));
    },
  }));
  return actions;
}

/** Columns for dimensions that the meter does not have; their rates would never apply. */
function StrayColumns({
  columns,
  meter,
  onRemove,
}: {
  columns: readonly string[];
  meter: string;
  onRemove: (column: string) => void;
}) {
  const { t } = useTranslation('catalogue');
  return columns.map((column) => (
    <Alert
      key={column}
      severity="error"
      action={
        <Button color="inherit" size="small" onClick={() => onRemove(column)}>
          {t('catalogue.matrix_column_remove', { column })}
        </Button>
      }
    >
      {t('catalogue.matrix_column_unknown', { meter, column })}
    </Alert>
  ));
}

function RateHead({
  columns,
  currency,
  unit,
}: {
  columns: readonly string[];
  currency: string;
  unit: string | undefined;
}) {
  const { t } = useTranslation('catalogue');
  return (
    <thead>
      <tr>
        <th scope="col">
          <VisuallyHidden>{t('catalogue.rate_number')}</VisuallyHidden>
        </th>
        {columns.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
        <th scope="col" className="price">
          {unit === undefined
            ? t('catalogue.rate_price', { currency })
            : t('catalogue.rate_price_per', { currency, unit })}
        </th>
        <th scope="col">
          <VisuallyHidden>{t('catalogue.rate_actions')}</VisuallyHidden>
        </th>
      </tr>
    </thead>
  );
}

/** What happens to events that match no row; such a price cannot be offered without choosing this. */
function Unmatched({ form, index }: { form: ServiceForm; index: number }) {
  const { t } = useTranslation('catalogue');
  const name = `charges.${index}.unmatched` as const;
  const { field, fieldState } = useController({ control: form.control, name });
  return (
    <TickBox
      name={name}
      label={t('catalogue.matrix_reject_others')}
      help={t('catalogue.matrix_reject_help')}
      isOn={field.value === 'reject'}
      problem={fieldState.error?.message}
      onChange={(isOn) => field.onChange(isOn ? 'reject' : '')}
      onBlur={field.onBlur}
      inputRef={field.ref}
    />
  );
}

function TierScope({ form, index }: { form: ServiceForm; index: number }) {
  const { t } = useTranslation('catalogue');
  return (
    <Box sx={{ maxWidth: 360 }}>
      {/* used as: 'catalogue.tier_scope_*' */}
      <SelectField
        form={form}
        name={`charges.${index}.tierScope`}
        label={t('catalogue.tier_scope')}
        options={tierScopes.map((one) => ({ value: one, label: t(`catalogue.tier_scope_${one}`) }))}
      />
    </Box>
  );
}

/** The errors of each row, as sentences. */
function useRowProblems(form: ServiceForm, index: number): (row: number) => RowProblems {
  const { t } = useTranslation('catalogue');
  const { errors } = useFormState({ control: form.control });
  const wrong = errors.charges?.[index]?.rates;
  const price = useProblemText(t('catalogue.unit_price'), 'form.invalid');
  const missing = useProblemText(t('catalogue.unit_price'), 'form.required');
  const { t: tRating } = useTranslation('rating');
  return (row) => {
    const rate = wrong?.[row];
    if (!rate) return {};
    // A record's own message, since it is one field in the contract.
    const when = (rate.when as { readonly message?: string } | undefined)?.message;
    return {
      ...(rate.when && {
        when: when?.startsWith('=') ? when.slice(1) : tRating('rating.rate_twice'),
      }),
      ...(rate.unitPrice && {
        price: rate.unitPrice.message === 'form.required' ? (missing ?? '') : (price ?? ''),
      }),
    };
  };
}

/** The cell that an event came from. */
function cellOf(target: EventTarget): Cell | undefined {
  if (!(target instanceof HTMLElement)) return undefined;
  const { row, column } = target.dataset;
  return row === undefined || column === undefined ? undefined : { row: Number(row), column: Number(column) };
}

/** The cell that a key moves to: up and down always, left and right only from the ends of the text. */
function cellAfter(event: KeyboardEvent, { row, column }: Cell): Cell | undefined {
  const input = event.target;
  const [start, end, length] =
    input instanceof HTMLInputElement
      ? [input.selectionStart ?? 0, input.selectionEnd ?? 0, input.value.length]
      : [0, 0, 0];
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  switch (event.key) {
    case 'Enter':
      return { row: row + (event.shiftKey ? -1 : 1), column };
    case 'ArrowUp':
      return { row: row - 1, column };
    case 'ArrowDown':
      return { row: row + 1, column };
    case 'ArrowLeft':
      return !event.shiftKey && start === 0 && (end === 0 || end === length)
        ? { row, column: column - 1 }
        : undefined;
    case 'ArrowRight':
      return !event.shiftKey && end === length && (start === length || start === 0)
        ? { row, column: column + 1 }
        : undefined;
    default:
      return undefined;
  }
}
