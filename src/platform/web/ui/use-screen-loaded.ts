// Whether a screen has received and rendered the first answer of every query.
import { notifyManager, useQueryClient, type Query } from '@tanstack/react-query';
import { useEffect, useReducer } from 'react';
import { useDrawing } from './use-deferred-render.ts';

/** A query that has no answer yet. */
const isFirst = ({ state }: Query): boolean => state.data === undefined;

type Stage = 'opened' | 'asking' | 'loaded';
/**
 * Parent components start their queries after their children, so all queries have started only in the second
 * round.
 */
const next = (stage: Stage, isWaiting: boolean): Stage =>
  stage === 'opened' ? 'asking' : stage === 'asking' && !isWaiting ? 'loaded' : stage;

/**
 * False from the screen's first render until every running query has had its first answer and all answers are
 * rendered; then true permanently. Also waits for queries that such an answer triggers.
 */
export function useScreenLoaded(): boolean {
  const cache = useQueryClient();
  const drawing = useDrawing(({ parts }) => parts);
  const [stage, look] = useReducer(next, 'opened');
  const [check, lookAgain] = useReducer((checks: number) => checks + 1, 0);
  useEffect(() => {
    const isWaiting = () => useDrawing.getState().parts > 0 || cache.isFetching({ predicate: isFirst }) > 0;
    if (stage === 'opened' || isWaiting()) return look(isWaiting());
    // Answers that arrive at the same time are delivered one by one; only after the last is it clear which
    // queries they trigger.
    if (stage === 'asking') notifyManager.schedule(() => look(isWaiting()));
  }, [cache, drawing, check, stage]);
  useEffect(() => {
    if (stage === 'loaded') return undefined;
    // Queries that start and end between two renders leave no other trace. Scheduled with the notifications
    // of the queries themselves, so that everything renders at once.
    return cache.getQueryCache().subscribe(({ type }) => {
      if (type === 'updated') notifyManager.schedule(lookAgain);
    });
  }, [cache, stage]);
  return stage === 'loaded';
}
