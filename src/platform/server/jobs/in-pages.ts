// For jobs that visit many records, page by page, so that no transaction takes long.

/**
 * Runs `page` with the id at which the previous page ended, beginning with an empty one, until it returns
 * undefined or the job is stopped.
 */
export async function inPages(
  page: (after: string) => Promise<string | undefined>,
  signal?: AbortSignal,
): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined && !signal?.aborted;)
    after = await page(after);
}
