// Several short texts that suggests earlier values; any other text can be typed.
import Autocomplete from '@mui/material/Autocomplete';
import MuiTextField from '@mui/material/TextField';
import { useController, type FieldValues } from 'react-hook-form';
import { useProblemText, type FieldLook } from './Field.tsx';
import type { InForm } from './use-zod-form.ts';

export type SuggestManyFieldProps<In extends FieldValues, Sent> = InForm<In, Sent> &
  Omit<FieldLook, 'disabled' | 'required'> & { readonly suggestions: readonly string[] };

export function SuggestManyField<In extends FieldValues, Sent>({
  form,
  name,
  label,
  help,
  suggestions,
}: SuggestManyFieldProps<In, Sent>) {
  const { field, fieldState } = useController({ control: form.control, name });
  const problem = useProblemText(label, fieldState.error?.message);
  const value: unknown = field.value;
  return (
    <Autocomplete
      multiple
      freeSolo
      // A text that was typed and not confirmed is meant all the same.
      autoSelect
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={(_, next) => field.onChange(next)}
      onBlur={field.onBlur}
      options={suggestions}
      size="small"
      renderInput={(params) => (
        <MuiTextField
          {...params}
          inputRef={field.ref}
          name={field.name}
          label={label}
          error={problem !== undefined}
          helperText={problem ?? help ?? ' '}
        />
      )}
    />
  );
}
