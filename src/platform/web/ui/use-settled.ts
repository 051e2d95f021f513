// Whether a screen has been given all that it asked for when it was opened.
import { useIsFetching, useQueryClient, type Query } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useReducer } from 'react';

/** A question that has never been answered. */
const isFirst = ({ state }: Query): boolean => state.data === undefined;

type Stage = 'opened' | 'asking' | 'settled';
/** What is around a part asks after it does: only in the round after the first has everybody asked. */
const next = (stage: Stage, isWaiting: boolean): Stage => (stage === 'opened' ? 'asking' : stage === 'asking' && !isWaiting ? 'settled' : stage);

/**
 * False from the screen's first moment until nothing is under way that was never answered; then true for good. What an answer
 * brings with it may ask in turn: that is waited for as well.
 */
export function useSettled(): boolean {
  const cache = useQueryClient();
  // Parts draw what they were given in turns of low priority: this one looks after they have, and may ask again.
  const waiting = useDeferredValue(useIsFetching({ predicate: isFirst }));
  const [stage, look] = useReducer(next, 'opened');
  useEffect(() => {
    if (stage === 'settled') return undefined;
    const check = () => look(waiting > 0 || cache.isFetching({ predicate: isFirst }) > 0);
    check();
    // What begins and ends between two drawings leaves no other trace.
    return cache.getQueryCache().subscribe(check);
  }, [cache, waiting, stage]);
  return stage === 'settled';
}
