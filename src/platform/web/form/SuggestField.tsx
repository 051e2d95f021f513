// A single-line text that suggests earlier values; any other text can be typed.
import Autocomplete, { type AutocompleteRenderInputParams } from '@mui/material/Autocomplete';
import MuiTextField from '@mui/material/TextField';
import { useController, type FieldValues } from 'react-hook-form';
import { useProblemText, type FieldLook } from './Field.tsx';
import type { InForm } from './use-zod-form.ts';

export type SuggestFieldProps<In extends FieldValues, Sent> = InForm<In, Sent> &
  Omit<FieldLook, 'disabled'> & { readonly suggestions: readonly string[] };

export function SuggestField<In extends FieldValues, Sent>(props: SuggestFieldProps<In, Sent>) {
  const { value, onChange, look } = useSuggesting(props);
  return (
    <Autocomplete
      {...look}
      freeSolo
      disableClearable
      inputValue={typeof value === 'string' ? value : ''}
      onInputChange={(_, next) => onChange(next)}
    />
  );
}

/** Shared by the fields for one text and for several. */
export function useSuggesting<In extends FieldValues, Sent>({
  form,
  name,
  label,
  help,
  required = false,
  suggestions,
}: SuggestFieldProps<In, Sent>) {
  const { field, fieldState } = useController({ control: form.control, name });
  const problem = useProblemText(label, fieldState.error?.message);
  const value: unknown = field.value;
  const renderInput = (params: AutocompleteRenderInputParams) => (
    <MuiTextField
      {...params}
      inputRef={field.ref}
      name={field.name}
      label={label}
      required={required}
      error={problem !== undefined}
      helperText={problem ?? help ?? ' '}
    />
  );
  return {
    value,
    onChange: field.onChange,
    look: { size: 'small', options: suggestions, onBlur: field.onBlur, renderInput },
  } as const;
}
