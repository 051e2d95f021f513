// Tells system errors apart by their code, without casts.

/** Whether `error` is a system error (or any error with a string `code`) with one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
  );
}
