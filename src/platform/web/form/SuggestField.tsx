// One line of text that suggests what was used before; anything else can be typed.
import Autocomplete from '@mui/material/Autocomplete';
import MuiTextField from '@mui/material/TextField';
import type { ReactNode } from 'react';
import { useController, type FieldPath, type FieldValues } from 'react-hook-form';
import { useProblemText } from './Field.tsx';
import type { FormOf } from './use-zod-form.ts';

export type SuggestFieldProps<In extends FieldValues, Sent> = {
  readonly form: FormOf<In, Sent>;
  readonly name: FieldPath<In>;
  readonly label: string;
  readonly help?: ReactNode;
  readonly required?: boolean;
  readonly suggestions: readonly string[];
};

export function SuggestField<In extends FieldValues, Sent>({ form, name, label, help, required = false, suggestions }: SuggestFieldProps<In, Sent>) {
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
      renderInput={(params) => <MuiTextField {...params} inputRef={field.ref} name={field.name} label={label} required={required} error={problem !== undefined} helperText={problem ?? help ?? ' '} />}
    />
  );
}
