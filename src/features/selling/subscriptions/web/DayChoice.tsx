// A choice between a time that needs no date and a day.
import Box from '@mui/material/Box';
import type { Ref } from 'react';
import { RadioBox } from '#platform/web/form/RadioBox.tsx';
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
  return (
    <Box>
      <RadioBox
        row
        label={label}
        value={value === undefined ? 'plain' : 'dated'}
        options={[
          { value: 'plain', label: plain },
          { value: 'dated', label: dated },
        ]}
        onChange={(next) => onChange(next === 'plain' ? undefined : '')}
      />
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
    </Box>
  );
}
