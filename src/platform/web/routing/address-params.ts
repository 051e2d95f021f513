// Reads and changes the search parameters of the URL.
import { useCallback } from 'react';
import { useLocation, useSearchParams, type NavigateOptions } from 'react-router';
import { isEmbedded } from '../session/embedded.ts';

export type ChangeAddress = (
  update: (now: URLSearchParams) => URLSearchParams,
  options?: NavigateOptions,
) => void;

/** The search last written while the page with this key was shown, for a router in memory. */
let written: { readonly key: string; readonly search: string } | undefined;

/**
 * Like the router's `useSearchParams`, except that a change starts from the current URL. The router's starts
 * from the URL of the last render, so that of two changes before the next render only the second would take
 * effect. The portal routes in memory: the browser's URL is the frame's, and stays unchanged.
 */
export function useAddressParams(): readonly [now: URLSearchParams, change: ChangeAddress] {
  const [params, setParams] = useSearchParams();
  const { key, search } = useLocation();
  const change: ChangeAddress = useCallback(
    (update, options) => {
      const inMemory = written?.key === key ? written.search : search;
      const next = update(new URLSearchParams(isEmbedded ? inMemory : location.search));
      written = { key, search: next.toString() };
      setParams(next, options);
    },
    [setParams, key, search],
  );
  return [params, change];
}
