// One value in the URL: an open panel, a selected month. So every view can be linked, and Back closes what
// was opened.
import { useCallback } from 'react';
import { useLocation } from 'react-router';
import { useAddressParams } from './address-params.ts';

export type Param = readonly [
  value: string | undefined,
  set: (value: string | undefined, options?: { readonly replace?: boolean }) => void,
];

/**
 * `const [open, setOpen] = useParam('bill')`; undefined removes it from the URL. Lists on the page keep their
 * page and scroll position.
 */
export function useParam(name: string): Param {
  const [params, setParams] = useAddressParams();
  const { state } = useLocation();
  const set = useCallback(
    (value: string | undefined, options: { readonly replace?: boolean } = {}) =>
      setParams(
        (now) => {
          const next = new URLSearchParams(now);
          if (value === undefined) next.delete(name);
          else next.set(name, value);
          return next;
        },
        { state, replace: options.replace ?? false, preventScrollReset: true },
      ),
    [setParams, name, state],
  );
  return [params.get(name) ?? undefined, set];
}
