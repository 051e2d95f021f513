// For tests: the problems that a form with this schema shows for its values.
import * as z from 'zod/mini';
import { problemOf } from './schema-problems.ts';

/** Field path → its first problem; undefined when the values are valid. */
export function problemsOf(schema: z.ZodMiniType, values: unknown): Record<string, string> | undefined {
  const { error } = z.safeParse(schema, values, { error: problemOf });
  // A field shows only the first of its problems.
  return (
    error &&
    Object.fromEntries(error.issues.toReversed().map(({ path, message }) => [path.join('.'), message]))
  );
}
