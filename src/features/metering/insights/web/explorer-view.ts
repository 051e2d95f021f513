// The state of the explorer, stored in the address so that every view is a link.
import { useCallback } from 'react';
import { isId, type Id } from '#kernel/ids.ts';
import { groupBy, grains, type Grain } from '../contract.ts';
import { useAddressParams } from '#platform/web/routing/address-params.ts';

export type ExplorerView = {
  readonly groupBy: string;
  readonly grain: Grain;
  readonly isCompared: boolean;
  readonly serviceId: Id<'svc'> | undefined;
  /** What the chart shows. */
  readonly measure: 'cost' | 'quantity';
};

/** Reads the address; invalid values count as missing. */
export function readExplorer(params: URLSearchParams): ExplorerView {
  const [by, grain, only] = ['by', 'grain', 'only'].map((name) => params.get(name));
  const parsedGroup = groupBy.safeParse(by);
  return {
    groupBy: parsedGroup.success ? parsedGroup.data : 'service',
    grain: grains.find((each) => each === grain) ?? 'day',
    isCompared: params.get('compare') === 'previous',
    serviceId: isId('svc', only) ? only : undefined,
    measure: params.get('show') === 'quantity' ? 'quantity' : 'cost',
  };
}

/** Connects the explorer to the address; a change leaves the other parameters unchanged. */
export function useExplorerView() {
  const [params, setParams] = useAddressParams();
  const change = useCallback(
    (name: string, value: string | undefined) =>
      setParams(
        (now) => {
          const next = new URLSearchParams(now);
          if (value === undefined) next.delete(name);
          else next.set(name, value);
          return next;
        },
        { preventScrollReset: true },
      ),
    [setParams],
  );
  return {
    ...readExplorer(params),
    setGroupBy: (value: string) => change('by', value === 'service' ? undefined : value),
    setGrain: (value: Grain) => change('grain', value === 'day' ? undefined : value),
    setCompared: (value: boolean) => change('compare', value ? 'previous' : undefined),
    setService: (value: string) => change('only', value === '' ? undefined : value),
    setMeasure: (value: ExplorerView['measure']) => change('show', value === 'cost' ? undefined : value),
  };
}
