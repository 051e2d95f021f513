// The fields of the sign-in form.
import * as z from 'zod/mini';
import { longestEmail, longestPassword } from '#kernel/patterns.ts';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';

export const loginFields = z.strictObject({
  account: z.string().check(z.trim(), z.minLength(1, 'signin.required'), z.maxLength(longestEmail)),
  password: z.string().check(z.minLength(1, 'signin.required'), z.maxLength(longestPassword)),
  otp: z.string().check(z.trim(), z.maxLength(64)),
});
export type LoginFields = z.output<typeof loginFields>;
export type LoginFormState = FormOf<z.input<typeof loginFields>, LoginFields>;
