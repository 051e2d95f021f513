// A new password typed twice: long enough and equal. The server checks the other rules.
import * as z from 'zod/mini';
import { longestPassword } from '#kernel/patterns.ts';
import { isPasswordLongEnough, minimumPasswordLength } from '../rules.ts';

/**
 * Adds `password` and `confirm` to a form's fields; `keys` are the messages for a short password, a missing
 * repetition and a different one.
 */
export function newPasswordPair<Fields extends Record<string, z.ZodMiniType>>(
  fields: Fields,
  keys: { readonly short: string; readonly required: string; readonly differ: string },
  minimum = minimumPasswordLength,
) {
  const length = `${keys.short}?minimum=${minimum}`;
  const pair = {
    // An empty field is missing, not too short; the form reports that itself.
    password: z.string().check(
      z.refine((typed) => typed === '' || isPasswordLongEnough(typed, minimum), length),
      z.minLength(1),
      z.maxLength(longestPassword),
    ),
    confirm: z.string().check(z.minLength(1, keys.required)),
  };
  return z.strictObject({ ...fields, ...pair }).check((context) => {
    const { password, confirm } = context.value as { password: string; confirm: string };
    if (confirm !== '' && password !== confirm)
      context.issues.push({ code: 'custom', input: confirm, path: ['confirm'], message: keys.differ });
  });
}
