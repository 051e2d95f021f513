// An e-mail address as an account name, with this feature's own messages for a missing and for an invalid
// one.
import * as z from 'zod/mini';
import { longestEmail } from '#kernel/patterns.ts';

export const emailField = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'signin.email_required'),
    z.regex(z.regexes.email, 'signin.email_invalid'),
    z.maxLength(longestEmail),
  );
