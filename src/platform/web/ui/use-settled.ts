// Whether a screen has been given all that it asked for when it was opened.
import { useIsFetching, useQueryClient, type Query } from '@tanstack/react-query';
import { startTransition, useEffect, useState } from 'react';

/** A question that has never been answered. */
const isFirst = ({ state }: Query): boolean => state.data === undefined;

/**
 * False from the screen's first moment until nothing is under way that was never answered; then true for good. What an answer
 * brings with it may ask in turn: that is waited for as well.
 */
export function useSettled(): boolean {
  const cache = useQueryClient();
  const waiting = useIsFetching({ predicate: isFirst });
  const [stage, setStage] = useState<'opened' | 'asking' | 'answered' | 'settled'>('opened');
  useEffect(() => {
    const isWaiting = cache.isFetching({ predicate: isFirst }) > 0;
    // What is around this part asks after it: only in the next round has everybody asked.
    if (stage === 'opened') setStage('asking');
    // The parts may hear of their answers after this does: whatever they have to render comes first.
    else if (stage === 'asking' && !isWaiting) startTransition(() => setStage('answered'));
    else if (stage === 'answered') setStage(isWaiting ? 'asking' : 'settled');
  }, [cache, waiting, stage]);
  return stage === 'settled';
}
