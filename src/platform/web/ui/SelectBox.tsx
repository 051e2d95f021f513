// A labeled native select, which every phone and screen reader supports.
import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputLabel from '@mui/material/InputLabel';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useId } from 'react';

export type Option<Value extends string = string> = {
  readonly value: Value;
  readonly label: string;
  readonly disabled?: boolean;
};

export type SelectBoxProps<Value extends string> = {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly Option<Value>[];
  readonly onChange: (value: Value) => void;
  readonly fullWidth?: boolean;
  readonly disabled?: boolean;
  /** The problem with the selected value, shown below it. */
  readonly problem?: string | undefined;
};

/** The label is positioned over the frame, which does not know the label's width. */
const asWideAsLabel = {
  '&::before': {
    content: 'attr(data-label)',
    display: 'block',
    height: 0,
    visibility: 'hidden',
    whiteSpace: 'nowrap',
    overflow: 'hidden',
    fontSize: '0.75rem',
    paddingInline: '14px 24px',
  },
} as const;

export function SelectBox<Value extends string>({
  label,
  value,
  options,
  onChange,
  fullWidth = false,
  disabled = false,
  problem,
}: SelectBoxProps<Value>) {
  const id = useId();
  return (
    <FormControl
      size="small"
      fullWidth={fullWidth}
      disabled={disabled}
      error={problem !== undefined}
      data-label={label}
      sx={{
        minWidth: 120,
        width: fullWidth ? '100%' : 'auto',
        maxWidth: '100%',
        ...(!fullWidth && asWideAsLabel),
      }}
    >
      <InputLabel htmlFor={id} shrink>
        {label}
      </InputLabel>
      <NativeSelect
        id={id}
        value={value}
        // The select contains only the given values.
        onChange={(event) => onChange(event.target.value as Value)}
        input={<OutlinedInput label={label} notched />}
        {...(problem !== undefined && { inputProps: { 'aria-describedby': `${id}-problem` } })}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled ?? false}>
            {option.label}
          </option>
        ))}
      </NativeSelect>
      {problem !== undefined && (
        <FormHelperText id={`${id}-problem`} role="alert">
          {problem}
        </FormHelperText>
      )}
    </FormControl>
  );
}
