// The state of the overview: cards or lines (stored in the browser), and which services are compared at which
// quantity (stored in the address).
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { isId, type Id } from '#kernel/ids.ts';
import { unsignedDecimal } from '#kernel/shape.ts';
import { useAddressParams } from '#platform/web/routing/address-params.ts';

export type OverviewLook = 'cards' | 'lines';
export const useOverviewLook = create<{ look: OverviewLook; setLook: (look: OverviewLook) => void }>()(
  persist((set) => ({ look: 'cards', setLook: (look) => set({ look }) }), {
    name: 'overviewStore',
    storage: createJSONStorage(() => localStorage),
  }),
);

/** More columns side by side would not be readable. */
export const maxCompared = 3;

export type Comparison = {
  /** Whether services are being chosen for comparison. */
  readonly isChoosing: boolean;
  readonly chosen: readonly Id<'svc'>[];
  readonly isOpen: boolean;
  /** The quantity at which prices are compared; undefined until the user enters one. */
  readonly quantity: string | undefined;
  readonly begin: () => void;
  readonly toggle: (serviceId: Id<'svc'>) => void;
  readonly open: () => void;
  readonly close: () => void;
  readonly setQuantity: (quantity: string) => void;
  readonly end: () => void;
};

/**
 * Reads the services compared in an address: at most three ids without duplicates; anything else is ignored.
 */
export function readCompared(text: string | null): readonly Id<'svc'>[] {
  return [...new Set((text ?? '').split(','))]
    .filter((each): each is Id<'svc'> => isId('svc', each))
    .slice(0, maxCompared);
}

const toggled = (chosen: readonly Id<'svc'>[], serviceId: Id<'svc'>): readonly Id<'svc'>[] =>
  chosen.includes(serviceId)
    ? chosen.filter((each) => each !== serviceId)
    : [...chosen, serviceId].slice(0, maxCompared);

/** The comparison stored in the address, so that a link shows the same. */
export function useComparison(): Comparison {
  const [params, setParams] = useAddressParams();
  const text = params.get('compare');
  const chosen = readCompared(text);
  const quantity = params.get('quantity') ?? undefined;
  type Change = Readonly<Record<string, string | undefined>>;
  const write = (change: Change | ((now: URLSearchParams) => Change), replace = true) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        for (const [name, value] of Object.entries(typeof change === 'function' ? change(now) : change)) {
          if (value === undefined) next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace, preventScrollReset: true },
    );
  return {
    isChoosing: text !== null,
    chosen,
    isOpen: params.has('comparing') && chosen.length > 1,
    quantity: quantity !== undefined && unsignedDecimal.safeParse(quantity).success ? quantity : undefined,
    begin: () => write({ compare: '' }),
    toggle: (serviceId) =>
      write((now) => ({ compare: toggled(readCompared(now.get('compare')), serviceId).join(',') })),
    open: () => write({ comparing: '1' }, false),
    close: () => write({ comparing: undefined, quantity: undefined }),
    setQuantity: (next) => write({ quantity: next }),
    end: () => write({ compare: undefined, comparing: undefined, quantity: undefined }),
  };
}
