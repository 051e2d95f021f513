// What an address says behind its `?`, to read and to change.
import { useCallback } from 'react';
import { useSearchParams, type NavigateOptions } from 'react-router';

export type ChangeAddress = (
  update: (now: URLSearchParams) => URLSearchParams,
  options?: NavigateOptions,
) => void;

/**
 * As the router's `useSearchParams`, except that a change begins with the address as it is. The router's begins with what was drawn
 * last, so that of two quick changes, or of two parts that change something in one moment, only the last would count.
 */
export function useAddressParams(): readonly [now: URLSearchParams, change: ChangeAddress] {
  const [params, setParams] = useSearchParams();
  const change: ChangeAddress = useCallback(
    (update, options) => setParams(() => update(new URLSearchParams(location.search)), options),
    [setParams],
  );
  return [params, change];
}
