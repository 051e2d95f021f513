// A password in a form.
import { useController, type FieldValues } from 'react-hook-form';
import { PasswordBox, type PasswordLook } from './PasswordBox.tsx';
import type { InForm } from './use-zod-form.ts';

export type PasswordFieldProps<In extends FieldValues, Sent> = PasswordLook & InForm<In, Sent>;

export function PasswordField<In extends FieldValues, Sent>({
  form,
  name,
  ...look
}: PasswordFieldProps<In, Sent>) {
  const { field, fieldState } = useController({ control: form.control, name });
  return (
    <PasswordBox
      {...look}
      name={field.name}
      value={field.value ?? ''}
      problem={fieldState.error?.message}
      onChange={field.onChange}
      onBlur={field.onBlur}
      inputRef={field.ref}
    />
  );
}
