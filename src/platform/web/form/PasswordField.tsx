// A password in a form.
import type { FieldValues } from 'react-hook-form';
import { PasswordBox, type PasswordLook } from './PasswordBox.tsx';
import { useTextInForm, type InForm } from './use-zod-form.ts';

export type PasswordFieldProps<In extends FieldValues, Sent> = PasswordLook & InForm<In, Sent>;

export function PasswordField<In extends FieldValues, Sent>({
  form,
  name,
  ...look
}: PasswordFieldProps<In, Sent>) {
  const { input, problem } = useTextInForm({ form, name });
  return <PasswordBox {...look} {...input} problem={problem} />;
}
