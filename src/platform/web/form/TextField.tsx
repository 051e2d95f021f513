// One line (or several) of text in a form.
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { ReactNode } from 'react';
import { useController, type FieldPath, type FieldValues } from 'react-hook-form';
import { Field } from './Field.tsx';
import type { FormOf } from './use-zod-form.ts';

export type TextFieldProps<In extends FieldValues, Sent> = {
  readonly form: FormOf<In, Sent>;
  readonly name: FieldPath<In>;
  readonly label: string;
  readonly help?: ReactNode;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly type?: 'text' | 'email' | 'tel' | 'date' | 'password';
  /** What password managers and address books go by: 'username', 'new-password', 'organization' … */
  readonly autoComplete?: string;
  readonly autoFocus?: boolean;
  /** The keyboard of a phone. */
  readonly inputMode?: 'decimal' | 'numeric' | 'email' | 'tel';
  /** Rows; one when left out. */
  readonly rows?: number;
  readonly start?: ReactNode;
  readonly end?: ReactNode;
  readonly onKeyUp?: (event: React.KeyboardEvent) => void;
};

export function TextField<In extends FieldValues, Sent>({ form, name, label, help, required, disabled, type = 'text', autoComplete, autoFocus, inputMode, rows, start, end, onKeyUp }: TextFieldProps<In, Sent>) {
  const { field, fieldState } = useController({ control: form.control, name });
  return (
    <Field label={label} problem={fieldState.error?.message} help={help} required={required ?? false} disabled={disabled ?? false} raised={type === 'date' || start !== undefined}>
      {({ input, described }) => (
        <OutlinedInput
          id={input}
          label={label}
          type={type}
          name={field.name}
          value={field.value ?? ''}
          onChange={field.onChange}
          onBlur={field.onBlur}
          onKeyUp={onKeyUp}
          inputRef={field.ref}
          aria-describedby={described}
          autoComplete={autoComplete}
          autoFocus={autoFocus}
          inputMode={inputMode}
          {...(rows !== undefined && { multiline: true, minRows: rows })}
          {...((type === 'date' || start !== undefined) && { notched: true })}
          startAdornment={start !== undefined && <InputAdornment position="start">{start}</InputAdornment>}
          endAdornment={end !== undefined && <InputAdornment position="end">{end}</InputAdornment>}
        />
      )}
    </Field>
  );
}

/** An amount in a currency, typed as a decimal text; the schema checks it. */
export function MoneyField<In extends FieldValues, Sent>({ sign, ...rest }: Omit<TextFieldProps<In, Sent>, 'type' | 'inputMode' | 'start'> & { /** 'NT$' */ sign: string }) {
  return <TextField {...rest} inputMode="decimal" start={sign} />;
}
