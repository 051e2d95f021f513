// A new password, twice, with its strength and its rules.
import { useWatch, type FieldPath, type FieldValues } from 'react-hook-form';
import { PasswordField } from '#platform/web/form/PasswordField.tsx';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { PasswordRules } from './PasswordRules.tsx';

/** The messages of {@link newPasswordPair} in these forms. */
export const newPasswordSentences = {
  short: 'signin.password_too_short',
  required: 'signin.confirm_required',
  differ: 'signin.passwords_differ',
} as const;

export type NewPasswordFieldsProps<In extends FieldValues, Sent> = {
  readonly form: FormOf<In, Sent>;
  /** The names of the two fields. */
  readonly password: FieldPath<In>;
  readonly confirm: FieldPath<In>;
  readonly label: string;
  readonly minimum: number;
};

export function NewPasswordFields<In extends FieldValues, Sent>({
  form,
  password,
  confirm,
  label,
  minimum,
}: NewPasswordFieldsProps<In, Sent>) {
  const { t } = useTranslation('signin');
  const typed: string = useWatch({ control: form.control, name: password });
  return (
    <>
      <PasswordField
        form={form}
        name={password}
        label={label}
        autoComplete="new-password"
        required
        measured
      />
      <PasswordRules password={typed} minimum={minimum} />
      <PasswordField
        form={form}
        name={confirm}
        label={t('signin.confirm_password')}
        autoComplete="new-password"
        required
      />
    </>
  );
}
