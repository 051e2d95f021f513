// Several short texts with suggestions of earlier values; any other text can be typed.
import Autocomplete from '@mui/material/Autocomplete';
import type { FieldValues } from 'react-hook-form';
import { useSuggesting, type SuggestFieldProps } from '#platform/web/form/SuggestField.tsx';

export type SuggestManyFieldProps<In extends FieldValues, Sent> = Omit<
  SuggestFieldProps<In, Sent>,
  'required'
>;

export function SuggestManyField<In extends FieldValues, Sent>(props: SuggestManyFieldProps<In, Sent>) {
  const { value, onChange, look } = useSuggesting(props);
  return (
    <Autocomplete
      {...look}
      multiple
      freeSolo
      // Text that was typed but not confirmed is still added.
      autoSelect
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={(_, next) => onChange(next)}
    />
  );
}
