// Reads and changes the search parameters of the address.
import { useCallback } from 'react';
import { useSearchParams, type NavigateOptions } from 'react-router';

export type ChangeAddress = (
  update: (now: URLSearchParams) => URLSearchParams,
  options?: NavigateOptions,
) => void;

/**
 * Like the router's `useSearchParams`, except that a change starts from the current address. The router's
 * starts from the address of the last render, so that of two changes before the next render only the second
 * would take effect.
 */
export function useAddressParams(): readonly [now: URLSearchParams, change: ChangeAddress] {
  const [params, setParams] = useSearchParams();
  const change: ChangeAddress = useCallback(
    (update, options) => setParams(() => update(new URLSearchParams(location.search)), options),
    [setParams],
  );
  return [params, change];
}
