// A day or a time of day in a form.
import type { FieldValues } from 'react-hook-form';
import { PickerInput } from '../ui/PickerInput.tsx';
import { TextBox, type TextBoxProps } from './TextBox.tsx';
import type { TextFieldProps } from './TextField.tsx';
import { useTextInForm } from './use-zod-form.ts';

type PickerType = { readonly type: 'date' | 'time' };

/** Not tied to a form. */
export function PickerBox(box: Omit<TextBoxProps, 'type' | 'inputComponent'> & PickerType) {
  return <TextBox autoComplete="off" {...box} inputComponent={PickerInput} />;
}

/** `2026-03-05` or `14:07`; empty while nothing is chosen. */
export function PickerField<In extends FieldValues, Sent>({
  form,
  name,
  ...look
}: Omit<TextFieldProps<In, Sent>, 'type'> & PickerType) {
  const { input, problem } = useTextInForm({ form, name });
  return <PickerBox {...look} {...input} problem={problem} />;
}
