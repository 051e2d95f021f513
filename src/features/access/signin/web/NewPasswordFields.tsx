// A new password, twice, with its strength and its rules.
import { longestPassword } from '#kernel/patterns.ts';
import { isPasswordLongEnough } from '#features/access/identity/rules.ts';
import { filled, type Check } from '#platform/web/form/checks.ts';
import { PasswordBox } from '#platform/web/form/PasswordBox.tsx';
import { problem } from '#platform/web/form/problems.ts';
import type { PlainField, PlainForm } from '#platform/web/form/use-plain-form.ts';
import { useTranslation } from '#platform/web/i18n.ts';
import { PasswordRules } from './PasswordRules.tsx';

type Names = 'password' | 'confirm';
const tooShort = 'signin.password_too_short';

/** What is asked of a new password of at least `minimum` characters, and of its repetition. */
export function newPasswordFields(minimum: number): readonly PlainField<Names>[] {
  const isFilled = filled();
  const password: Check = (typed, valueOf) => {
    if (typed !== '' && !isPasswordLongEnough(typed, minimum)) return `${tooShort}?minimum=${minimum}`;
    return typed.length > longestPassword
      ? problem('form.too_long', { max: String(longestPassword) })
      : isFilled(typed, valueOf);
  };
  const isRepeated = filled('signin.confirm_required');
  const confirm: Check<Names> = (typed, valueOf) =>
    isRepeated(typed, valueOf) ?? (typed === valueOf('password') ? undefined : 'signin.passwords_differ');
  return [
    ['password', password],
    ['confirm', confirm],
  ];
}

export function NewPasswordFields({
  form,
  label,
  minimum,
}: {
  form: Pick<PlainForm<Names>, 'bind' | 'valueOf'>;
  label: string;
  minimum: number;
}) {
  const { t } = useTranslation('signin');
  const password = form.bind('password');
  return (
    <>
      <PasswordBox {...password} label={label} autoComplete="new-password" required measured />
      <PasswordRules password={password.value} minimum={minimum} />
      <PasswordBox
        {...form.bind('confirm')}
        label={t('signin.confirm_password')}
        autoComplete="new-password"
        required
      />
    </>
  );
}
