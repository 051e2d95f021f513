import { useDeferredValue, useLayoutEffect } from 'react';
import { create } from 'zustand';

/** How many parts of the screen have what they asked for, and are still drawing it. */
export const useDrawing = create(() => ({ parts: 0 }));
const begin = (): (() => void) => {
  const add = (more: number): void => useDrawing.setState(({ parts }) => ({ parts: parts + more }));
  add(1);
  return () => add(-1);
};

/**
 * The data, but their first arrival only when what they bring has been drawn: in turns, between which the page answers whoever uses it.
 * Later changes are there at once, so that all parts of a screen say the same.
 */
export function useDeferredRender<T>(data: T | undefined): T | undefined {
  const drawn = useDeferredValue(data);
  const isDue = data !== undefined && drawn === undefined;
  useLayoutEffect(() => (isDue ? begin() : undefined), [isDue]);
  return drawn === undefined ? undefined : data;
}
