// Code that is loaded beside the page and that the page can do without.
let loading = 0;

/** Loads such code. When it cannot be had the caller goes on without it; the page is not loaded anew for it. */
export async function loadInBackground<T>(load: () => Promise<T>): Promise<T> {
  loading++;
  try {
    return await load();
  } finally {
    loading--;
  }
}

export const isLoadingInBackground = (): boolean => loading > 0;
