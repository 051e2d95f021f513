// Loads code that the page can do without.
let loading = 0;

/**
 * Loads such code. When loading fails the promise rejects and the page goes on; it is not reloaded as it is
 * for a screen's code.
 */
export async function loadInBackground<T>(load: () => Promise<T>): Promise<T> {
  loading++;
  try {
    return await load();
  } finally {
    loading--;
  }
}

export const isLoadingInBackground = (): boolean => loading > 0;
