// A labelled text input of one or more lines, with its help or problem; not tied to a form.
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput';
import type { ReactNode, Ref } from 'react';
import { Field, type FieldLook } from './Field.tsx';
import type { Problem } from './problems.ts';

/** The options of a text input. */
export type TextLook = FieldLook & {
  readonly type?: 'text' | 'email' | 'tel' | 'password';
  /**
   * The browser's autocomplete hint for password managers and address books: 'username', 'new-password',
   * 'organization' …
   */
  readonly autoComplete?: string;
  readonly autoFocus?: boolean;
  /** The kind of keyboard that a phone shows. */
  readonly inputMode?: 'decimal' | 'numeric' | 'email' | 'tel';
  /** Rows; by default one. */
  readonly rows?: number;
  /** Program text: monospaced and scrolled. Needs `rows`. */
  readonly code?: boolean;
  readonly start?: ReactNode;
  readonly end?: ReactNode;
  readonly onKeyUp?: (event: React.KeyboardEvent) => void;
};

export type TextBoxProps = Omit<TextLook, 'type'> & {
  /** A day or a time of day is a `PickerBox`. */
  readonly type?: TextLook['type'] | 'date' | 'time';
  readonly inputComponent?: OutlinedInputProps['inputComponent'];
  readonly name: string;
  readonly value: string;
  readonly problem?: Problem | undefined;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly inputRef?: Ref<HTMLInputElement>;
};

export function TextBox({
  name,
  value,
  problem,
  onChange,
  onBlur,
  inputRef,
  label,
  help,
  required = false,
  disabled = false,
  type = 'text',
  rows,
  code = false,
  start,
  end,
  wraps = false,
  ...rest
}: TextBoxProps) {
  const isRaised = type === 'date' || type === 'time' || start !== undefined;
  return (
    <Field
      label={label}
      problem={problem}
      help={help}
      required={required}
      disabled={disabled}
      raised={isRaised}
      wraps={wraps}
    >
      {({ input, described }) => (
        <OutlinedInput
          {...rest}
          id={input}
          {...(!wraps && { label })}
          type={type}
          name={name}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
          inputRef={inputRef}
          aria-describedby={described}
          {...(rows !== undefined && { multiline: true, minRows: rows })}
          {...(code && {
            maxRows: 24,
            spellCheck: false,
            sx: { '& textarea': { fontFamily: 'monospace', fontSize: '0.8125rem', lineHeight: 1.6 } },
          })}
          {...(isRaised && !wraps && { notched: true })}
          startAdornment={
            start !== undefined && (
              <InputAdornment position="start" sx={{ whiteSpace: 'nowrap', flexShrink: 0 }}>
                {start}
              </InputAdornment>
            )
          }
          endAdornment={
            end !== undefined && (
              <InputAdornment position="end" sx={{ whiteSpace: 'nowrap', flexShrink: 0 }}>
                {end}
              </InputAdornment>
            )
          }
        />
      )}
    </Field>
  );
}
