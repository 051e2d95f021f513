// For tests: what a form with this schema says of its values.
import * as z from 'zod/mini';
import { problemOf } from './schema-problems.ts';

/** Field path → its first problem; undefined when the values may be sent. */
export function problemsOf(schema: z.ZodMiniType, values: unknown): Record<string, string> | undefined {
  const { error } = z.safeParse(schema, values, { error: problemOf });
  // Of several problems of one field the first is shown.
  return (
    error &&
    Object.fromEntries(error.issues.toReversed().map(({ path, message }) => [path.join('.'), message]))
  );
}
