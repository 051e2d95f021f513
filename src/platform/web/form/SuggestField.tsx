// One line of text that suggests earlier values; any other text can be typed.
import Autocomplete from '@mui/material/Autocomplete';
import MuiTextField from '@mui/material/TextField';
import { useController, type FieldValues } from 'react-hook-form';
import { useProblemText, type FieldLook } from './Field.tsx';
import type { InForm } from './use-zod-form.ts';

export type SuggestFieldProps<In extends FieldValues, Sent> = InForm<In, Sent> &
  Omit<FieldLook, 'disabled'> & { readonly suggestions: readonly string[] };

export function SuggestField<In extends FieldValues, Sent>({
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
  return (
    <Autocomplete
      freeSolo
      disableClearable
      inputValue={typeof value === 'string' ? value : ''}
      onInputChange={(_, next) => field.onChange(next)}
      onBlur={field.onBlur}
      options={suggestions}
      size="small"
      renderInput={(params) => (
        <MuiTextField
          {...params}
          inputRef={field.ref}
          name={field.name}
          label={label}
          required={required}
          error={problem !== undefined}
          helperText={problem ?? help ?? ' '}
        />
      )}
    />
  );
}
