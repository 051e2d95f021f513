// Converts thrown values to errors, and tells system errors apart by their code without casts.

/** Returns what was thrown as an Error, which it need not be. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

/** Whether `error` is a system error (or any error with a string `code`) with one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
  );
}
