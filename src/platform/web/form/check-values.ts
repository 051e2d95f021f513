// What a schema finds wrong with the values of a form.
import * as z from 'zod/mini';
import { problem, type Problem } from './problems.ts';

/**
 * The problem of one zod issue. A schema's own message is used when it is a text key
 * (`z.minLength(1, 'identity.email_required')`, with parameters `'a.b?max=3'`); `value` is what stands in the field.
 */
export function problemOf(issue: z.core.$ZodIssue, value: unknown): Problem {
  if (/^[a-z][a-z-]*(\.[a-z0-9_]+)+(\?\S+)?$/.test(issue.message)) return issue.message;
  const isMissing =
    value === undefined ||
    value === null ||
    value === '' ||
    value === false ||
    (typeof value === 'string' && value.trim() === '');
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

/** Field path → its first problem, or the decoded values. */
export function checkValues<S extends z.ZodMiniType>(
  schema: S,
  values: unknown,
): { ok: true; data: z.output<S> } | { ok: false; problems: Map<string, Problem> } {
  const result = z.safeParse(schema, values);
  if (result.success) return { ok: true, data: result.data };
  const problems = new Map<string, Problem>();
  for (const issue of result.error.issues) {
    const path = issue.path.map(String).join('.');
    if (!problems.has(path)) problems.set(path, problemOf(issue, valueAt(values, issue.path)));
  }
  return { ok: false, problems };
}

function valueAt(values: unknown, path: readonly PropertyKey[]): unknown {
  let value = values;
  for (const step of path)
    value =
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[step] : undefined;
  return value;
}
