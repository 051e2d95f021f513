// Whether a screen has been given all that it asked for when it was opened.
import { useIsFetching, useQueryClient, type Query } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useState } from 'react';

/** A question that has never been answered. */
const isFirst = ({ state }: Query): boolean => state.data === undefined;

/**
 * False from the screen's first moment until nothing is under way that was never answered; then true for good. What an answer
 * brings with it may ask in turn: that is waited for as well.
 */
export function useSettled(): boolean {
  const cache = useQueryClient();
  // Parts draw what they were given in turns of low priority: this one looks after they have, and may ask again.
  const waiting = useDeferredValue(useIsFetching({ predicate: isFirst }));
  const [stage, setStage] = useState<'opened' | 'asking' | 'settled'>('opened');
  useEffect(() => {
    // What is around this part asks after it: only in the next round has everybody asked.
    if (stage === 'opened') setStage('asking');
    else if (stage === 'asking' && waiting === 0 && cache.isFetching({ predicate: isFirst }) === 0) setStage('settled');
  }, [cache, waiting, stage]);
  return stage === 'settled';
}
