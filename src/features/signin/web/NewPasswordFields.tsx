// A new password, twice, with its strength and its rules.
import { useMemo } from 'react';
import { useWatch, type FieldPath, type FieldValues } from 'react-hook-form';
import type * as z from 'zod/mini';
import { newPasswordPair } from '#features/identity/web/parts.ts';
import { PasswordField } from '#platform/web/form/PasswordField.tsx';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { PasswordRules } from './PasswordRules.tsx';
import { useSigninTexts } from './texts.ts';

const keys = { short: 'signin.password_too_short', required: 'signin.confirm_required', differ: 'signin.passwords_differ' };

/** The schema of a form with `fields` and a new password of at least `minimum` characters. */
export function useNewPasswordSchema<Fields extends Record<string, z.ZodMiniType>>(fields: Fields, minimum: number) {
  return useMemo(() => newPasswordPair(fields, keys, minimum), [fields, minimum]);
}

export function NewPasswordFields<In extends FieldValues & { password: string; confirm: string }, Sent>({ form, label, minimum }: { form: FormOf<In, Sent>; label: string; minimum: number }) {
  const t = useSigninTexts();
  const [password, confirm] = ['password', 'confirm'] as unknown as [FieldPath<In>, FieldPath<In>];
  const typed: string = useWatch({ control: form.control, name: password }) ?? '';
  return (
    <>
      <PasswordField form={form} name={password} label={label} autoComplete="new-password" required measured />
      <PasswordRules password={typed} minimum={minimum} />
      <PasswordField form={form} name={confirm} label={t('signin.confirm_password')} autoComplete="new-password" required />
    </>
  );
}
