// Converts a schema's issues to problems, which can be shown in any language.
import type * as z from 'zod/mini';
import { problem, type Problem } from './problems.ts';

/**
 * The message for each issue without its own, for `zodResolver(schema, { error: problemOf })`. A schema's own
 * message is a text key (`z.minLength(1, 'identity.email_required')`), with parameters if the sentence has
 * placeholders (`'a.b?max=3'`).
 */
export function problemOf(issue: z.core.$ZodRawIssue): Problem {
  const { input } = issue;
  const isMissing =
    input === undefined ||
    input === null ||
    input === false ||
    (typeof input === 'string' && input.trim() === '');
  if (isMissing) return problem('form.required');
  if (issue.code === 'too_big')
    return issue.origin === 'string'
      ? problem('form.too_long', { max: String(issue.maximum) })
      : problem('form.too_big', { max: String(issue.maximum) });
  if (issue.code === 'too_small')
    return issue.origin === 'string'
      ? problem('form.too_short', { min: String(issue.minimum) })
      : problem('form.too_small', { min: String(issue.minimum) });
  return problem('form.invalid');
}
