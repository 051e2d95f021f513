// One value kept in the address: an open panel, a chosen month. Every view is a link, and back closes what was opened.
import { useCallback } from 'react';
import { useLocation } from 'react-router';
import { useAddressParams } from './address-params.ts';

export type Param = readonly [
  value: string | undefined,
  set: (value: string | undefined, how?: { readonly replace?: boolean }) => void,
];

/** `const [open, setOpen] = useParam('bill')`; undefined takes it out of the address. Lists on the same page keep their place. */
export function useParam(name: string): Param {
  const [params, setParams] = useAddressParams();
  const { state } = useLocation();
  const set = useCallback(
    (value: string | undefined, how: { readonly replace?: boolean } = {}) =>
      setParams(
        (now) => {
          const next = new URLSearchParams(now);
          if (value === undefined) next.delete(name);
          else next.set(name, value);
          return next;
        },
        { state, replace: how.replace ?? false, preventScrollReset: true },
      ),
    [setParams, name, state],
  );
  return [params.get(name) ?? undefined, set];
}
