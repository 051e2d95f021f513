// An optional day, for the end of a range; its owner keeps it in the URL.
import Box from '@mui/material/Box';
import FormControl from '@mui/material/FormControl';
import InputLabel from '@mui/material/InputLabel';
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput';
import { useId, useState } from 'react';
import { isDay, type LocalDay } from '#kernel/shape.ts';
import { useParam } from '../routing/use-param.ts';
import { PickerInput } from './PickerInput.tsx';

type DayProps = {
  readonly label: string;
  readonly value: LocalDay | undefined;
  readonly onChange: (day: LocalDay | undefined) => void;
};

export function Day({ label, value, onChange }: DayProps) {
  const [typed, setTyped] = useState<string>(value ?? '');
  const [before, setBefore] = useState(value);
  // A day from elsewhere (the URL, a cleared filter) replaces what was typed.
  if (before !== value) {
    setBefore(value);
    setTyped(value ?? '');
  }
  // An incomplete day is not passed on; the browser keeps the typed text.
  const change = (text: string) => {
    setTyped(text);
    if (text === '') onChange(undefined);
    else if (isDay(text)) onChange(text);
  };
  return <DayInput label={label} value={typed} onChange={change} />;
}

/** The browser's date input; two of them fit side by side on a phone. */
export function DayInput({
  label,
  error = false,
  onChange,
  ...input
}: Pick<OutlinedInputProps, 'value' | 'error' | 'slotProps'> & {
  readonly label: string;
  readonly onChange: (day: string) => void;
}) {
  const id = useId();
  return (
    <FormControl size="small" error={error} sx={{ width: { xs: 'calc(50% - 4px)', sm: 160 } }}>
      <InputLabel htmlFor={id} shrink>
        {label}
      </InputLabel>
      <OutlinedInput
        {...input}
        id={id}
        type="date"
        inputComponent={PickerInput}
        label={label}
        notched
        onChange={(event) => onChange(event.target.value)}
      />
    </FormControl>
  );
}

/** The first and the last day of a range, kept on one line. */
export function Days({ from, to }: { from: DayProps; to: DayProps }) {
  return (
    <Box sx={{ display: 'flex', gap: 1, width: { xs: '100%', sm: 'auto' } }}>
      <Day {...from} />
      <Day {...to} />
    </Box>
  );
}

/** A day from the URL; an invalid one counts as absent. */
export function useDayParam(
  name: string,
): readonly [LocalDay | undefined, (day: LocalDay | undefined) => void] {
  const [text, setText] = useParam(name);
  return [isDay(text) ? text : undefined, (day) => setText(day, { replace: true })];
}
