// One color per service on all pages: a service keeps its color, and a new one gets the least used color.
import { useEffect, useMemo } from 'react';
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';

export type Slot = number | 'other';
type Known = Readonly<Record<string, number>>;

const slotCount = 7;
/** The maximum remembered: then the oldest are forgotten. */
const maxKnown = 300;

/**
 * Assigns a slot (1 to 7) to each key of one chart. Known keys keep theirs; when two keys of a chart would
 * share a slot, or a key is new, the least used slot that is free in this chart is taken. 'other' has its own
 * color.
 */
export function slotsFor(
  keys: readonly string[],
  known: Known,
): { readonly slots: ReadonlyMap<string, Slot>; readonly fresh: Known } {
  const slots = new Map<string, Slot>();
  const fresh: Record<string, number> = {};
  const isFree = (slot: number): boolean => ![...slots.values()].includes(slot);
  const used = (slot: number): number =>
    [...Object.values(known), ...Object.values(fresh)].filter((one) => one === slot).length;
  // In sorted order, so that the same keys get the same slots wherever they occur first.
  const sortedKeys = [...new Set(keys)].toSorted();
  for (const key of sortedKeys) {
    const slot = key === 'other' ? 'other' : known[key];
    if (slot === 'other' || (slot !== undefined && isFree(slot))) slots.set(key, slot);
  }
  for (const key of sortedKeys.filter((one) => !slots.has(one))) {
    const all = Array.from({ length: slotCount }, (_, index) => index + 1);
    const free = all.filter(isFree);
    const slot = (free.length > 0 ? free : all).reduce((best, one) => (used(one) < used(best) ? one : best));
    slots.set(key, slot);
    if (known[key] === undefined) fresh[key] = slot;
  }
  return { slots, fresh };
}

const useKnown = create<{ readonly known: Known }>()(
  persist((): { known: Known } => ({ known: {} }), {
    name: 'chartStore',
    storage: createJSONStorage(() => localStorage),
  }),
);

/** Returns the slots of a chart's keys; new ones are remembered in this browser. */
export function useColourSlots(keys: readonly string[]): ReadonlyMap<string, Slot> {
  const known = useKnown((store) => store.known);
  const joinedKeys = keys.join('\n');
  const { slots, fresh } = useMemo(
    () => slotsFor(joinedKeys === '' ? [] : joinedKeys.split('\n'), known),
    [joinedKeys, known],
  );
  const missing = Object.keys(fresh).join('\n');
  useEffect(() => {
    // Charts of one page are drawn at the same moment: slots just assigned by another chart count, or two
    // services of a chart could share a color.
    if (missing !== '')
      useKnown.setState((store) => ({
        known: Object.fromEntries(
          Object.entries({ ...slotsFor(joinedKeys.split('\n'), store.known).fresh, ...store.known }).slice(
            0,
            maxKnown,
          ),
        ),
      }));
  }, [missing, joinedKeys]);
  return slots;
}
