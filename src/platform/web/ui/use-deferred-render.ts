import { useDeferredValue, useLayoutEffect } from 'react';
import { create } from 'zustand';

/** How many parts of the screen have their data but are still rendering it. */
export const useDrawing = create(() => ({ parts: 0 }));
/** Counts a part that is being rendered. @returns the function that is called when it is */
export const begin = (): (() => void) => {
  const add = (more: number): void => useDrawing.setState(({ parts }) => ({ parts: parts + more }));
  add(1);
  return () => add(-1);
};

/**
 * Returns the data; on first arrival only in a deferred render, so that the page can respond to the user
 * before the new part is drawn. Later changes are returned at once, so that all parts of a screen stay
 * consistent.
 */
export function useDeferredRender<T>(data: T | undefined): T | undefined {
  const drawn = useDeferredValue(data);
  const isDue = data !== undefined && drawn === undefined;
  useLayoutEffect(() => (isDue ? begin() : undefined), [isDue]);
  return drawn === undefined ? undefined : data;
}
