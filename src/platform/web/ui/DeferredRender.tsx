import Skeleton from '@mui/material/Skeleton';
import { Fragment, startTransition, useEffect, useLayoutEffect, useReducer, type ReactNode } from 'react';
import { begin } from './use-deferred-render.ts';

/**
 * Renders the parts of a long page one after the other, so that the page can respond to the user between two
 * parts. With `atOnce`, all are rendered at once, for a link to a part further down. What is below the parts still waits: it would
 * move with each of them.
 */
export function DeferredRender({
  parts,
  atOnce = false,
}: {
  readonly parts: readonly { readonly name: string; readonly content: ReactNode }[];
  readonly atOnce?: boolean;
}) {
  const [shownCount, next] = useReducer((before: number) => before + 1, 1);
  const shown = atOnce ? parts : parts.slice(0, shownCount);
  const isMore = shown.length < parts.length;
  useEffect(() => {
    if (isMore) startTransition(next);
  }, [isMore, shownCount]);
  useLayoutEffect(() => (isMore ? begin() : undefined), [isMore]);
  return (
    <>
      {shown.map(({ name, content }) => (
        <Fragment key={name}>{content}</Fragment>
      ))}
      {isMore && <Skeleton sx={{ display: 'none' }} />}
    </>
  );
}
