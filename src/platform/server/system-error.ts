// What was thrown, as an error; and system errors told apart by their code, without casts.

/** What was thrown, which need not be an error. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

/** Whether `error` is a system error (or any error that carries a text `code`) with one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
  );
}
