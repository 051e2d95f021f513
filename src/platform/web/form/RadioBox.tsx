// A choice among a few options, all of which are visible; not tied to a form.
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useId, type ReactNode } from 'react';

export type RadioBoxProps<Value extends string> = {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: ReactNode }[];
  /** Side by side where there is room. */
  readonly row?: boolean;
  readonly onChange: (value: Value) => void;
};

export function RadioBox<Value extends string>({
  label,
  value,
  options,
  row = false,
  onChange,
}: RadioBoxProps<Value>) {
  const id = useId();
  return (
    <FormControl>
      <FormLabel id={id}>{label}</FormLabel>
      <RadioGroup row={row} aria-labelledby={id} value={value}>
        {options.map((option) => (
          <FormControlLabel
            key={option.value}
            value={option.value}
            control={<Radio onChange={() => onChange(option.value)} />}
            label={option.label}
          />
        ))}
      </RadioGroup>
    </FormControl>
  );
}
