// A choice among a few options, and a yes/no choice, in a form.
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Switch from '@mui/material/Switch';
import type { ReactNode } from 'react';
import { useController, type FieldValues } from 'react-hook-form';
import type { Option } from '../ui/SelectBox.tsx';
import { Field, type FieldLook } from './Field.tsx';
import { TickBox } from './TickBox.tsx';
import { useTextInForm, type InForm } from './use-zod-form.ts';

export function SelectField<In extends FieldValues, Sent>({
  form,
  name,
  label,
  help,
  disabled = false,
  required = false,
  options,
}: InForm<In, Sent> & FieldLook & { options: readonly Option[] }) {
  const { input, problem } = useTextInForm({ form, name });
  return (
    <Field label={label} problem={problem} help={help} required={required} disabled={disabled} raised>
      {({ input: id, described }) => (
        <NativeSelect
          {...input}
          id={id}
          aria-describedby={described}
          input={<OutlinedInput label={label} notched />}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled ?? false}>
              {option.label}
            </option>
          ))}
        </NativeSelect>
      )}
    </Field>
  );
}

/** A checkbox ('check', for consent) or a switch (for settings). */
export function CheckField<In extends FieldValues, Sent>({
  form,
  name,
  label,
  help,
  as = 'check',
}: InForm<In, Sent> & Pick<FieldLook, 'help'> & { label: ReactNode; as?: 'check' | 'switch' }) {
  const { field, fieldState } = useController({ control: form.control, name });
  return (
    <TickBox
      label={label}
      help={help}
      name={field.name}
      isOn={field.value === true}
      problem={fieldState.error?.message}
      onChange={field.onChange}
      onBlur={field.onBlur}
      inputRef={field.ref}
      {...(as === 'switch' && { as: Switch })}
    />
  );
}
