// A choice between a time that needs no date and a day.
import Box from '@mui/material/Box';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useId, type Ref } from 'react';
import type { Problem } from '#platform/web/form/problems.ts';
import { PickerBox } from '#platform/web/form/PickerField.tsx';

export type DayChoiceProps = {
  readonly label: string;
  readonly plain: string;
  readonly dated: string;
  readonly day: string;
  readonly name: string;
  readonly value: string | undefined;
  readonly problem: Problem | undefined;
  readonly inputRef: Ref<HTMLInputElement>;
  readonly onChange: (day: string | undefined) => void;
};

/** A choice: immediately (or until further notice), or on a day. */
export function DayChoice({
  label,
  plain,
  dated,
  day,
  name,
  value,
  problem,
  inputRef,
  onChange,
}: DayChoiceProps) {
  const id = useId();
  return (
    <FormControl>
      <FormLabel id={id}>{label}</FormLabel>
      <RadioGroup
        row
        aria-labelledby={id}
        value={value === undefined ? 'plain' : 'dated'}
        onChange={(_, next) => onChange(next === 'plain' ? undefined : '')}
      >
        <FormControlLabel value="plain" control={<Radio />} label={plain} />
        <FormControlLabel value="dated" control={<Radio />} label={dated} />
      </RadioGroup>
      {value !== undefined && (
        <Box sx={{ display: 'grid', marginTop: 1 }}>
          <PickerBox
            name={name}
            type="date"
            label={day}
            value={value}
            problem={problem}
            inputRef={inputRef}
            onChange={onChange}
            required
          />
        </Box>
      )}
    </FormControl>
  );
}
