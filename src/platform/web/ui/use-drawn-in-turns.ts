import { useDeferredValue } from 'react';

/**
 * The data, but their first arrival only when what they bring has been drawn: in turns, between which the page answers whoever uses it.
 * Later changes are there at once, so that all parts of a screen say the same.
 */
export function useDrawnInTurns<T>(data: T | undefined): T | undefined {
  const drawn = useDeferredValue(data);
  return drawn === undefined ? undefined : data;
}
