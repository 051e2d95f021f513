// Whether a screen has been given all that it asked for when it was opened.
import { notifyManager, useQueryClient, type Query } from '@tanstack/react-query';
import { useEffect, useReducer } from 'react';
import { useDrawing } from './use-deferred-render.ts';

/** A question that has never been answered. */
const isFirst = ({ state }: Query): boolean => state.data === undefined;

type Stage = 'opened' | 'asking' | 'settled';
/** What is around a part asks after it does: only in the round after the first has everybody asked. */
const next = (stage: Stage, isWaiting: boolean): Stage =>
  stage === 'opened' ? 'asking' : stage === 'asking' && !isWaiting ? 'settled' : stage;

/**
 * False from the screen's first moment until nothing is under way that was never answered, and all answers are drawn; then true for good. What an
 * answer brings with it may ask in turn: that is waited for as well.
 */
export function useSettled(): boolean {
  const cache = useQueryClient();
  const drawing = useDrawing(({ parts }) => parts);
  const [stage, look] = useReducer(next, 'opened');
  const [turn, lookAgain] = useReducer((turns: number) => turns + 1, 0);
  useEffect(() => {
    const isWaiting = () => useDrawing.getState().parts > 0 || cache.isFetching({ predicate: isFirst }) > 0;
    if (stage === 'opened' || isWaiting()) return look(isWaiting());
    // Answers that came at once are told one after the other: only when all are told is it clear what they bring.
    if (stage === 'asking') notifyManager.schedule(() => look(isWaiting()));
  }, [cache, drawing, turn, stage]);
  useEffect(() => {
    if (stage === 'settled') return undefined;
    // What begins and ends between two drawings leaves no other trace. Told in one go with those who asked, so that all draw at once.
    return cache.getQueryCache().subscribe(({ type }) => {
      if (type === 'updated') notifyManager.schedule(lookAgain);
    });
  }, [cache, stage]);
  return stage === 'settled';
}
