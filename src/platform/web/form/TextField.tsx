// One line (or several) of text in a form.
import type { FieldValues } from 'react-hook-form';
import { TextBox, type TextLook } from './TextBox.tsx';
import { useTextInForm, type InForm } from './use-zod-form.ts';

export type TextFieldProps<In extends FieldValues, Sent> = TextLook & InForm<In, Sent>;

export function TextField<In extends FieldValues, Sent>({ form, name, ...look }: TextFieldProps<In, Sent>) {
  const { input, problem } = useTextInForm({ form, name });
  return <TextBox {...look} {...input} problem={problem} />;
}

/** An amount in a currency, typed as a decimal string; the schema validates it. */
export function MoneyField<In extends FieldValues, Sent>({
  sign,
  ...field
}: Omit<TextFieldProps<In, Sent>, 'type' | 'inputMode' | 'start' | 'autoComplete'> & {
  /** 'NT$' */ readonly sign: string;
}) {
  return <TextField {...field} inputMode="decimal" start={sign} autoComplete="off" />;
}

/** A percentage, typed as a decimal string; the schema validates it. */
export function PercentField<In extends FieldValues, Sent>(
  field: Omit<TextFieldProps<In, Sent>, 'type' | 'inputMode' | 'end' | 'autoComplete'>,
) {
  return <TextField {...field} inputMode="decimal" end="%" autoComplete="off" />;
}
