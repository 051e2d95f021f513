// One value kept in the address: an open panel, a chosen month. Every view is a link, and back closes what was opened.
import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'react-router';

export type Param = readonly [value: string | undefined, set: (value: string | undefined, how?: { readonly replace?: boolean }) => void];

/** `const [open, setOpen] = useParam('bill')`; undefined takes it out of the address. Lists on the same page keep their place. */
export function useParam(name: string): Param {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const set = useCallback(
    (value: string | undefined, how: { readonly replace?: boolean } = {}) =>
      setParams((now) => {
        const next = new URLSearchParams(now);
        if (value === undefined) next.delete(name);
        else next.set(name, value);
        return next;
      }, { state, replace: how.replace ?? false, preventScrollReset: true }),
    [setParams, name, state],
  );
  return [params.get(name) ?? undefined, set];
}
