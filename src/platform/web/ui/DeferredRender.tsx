import { Fragment, startTransition, useEffect, useReducer, type ReactNode } from 'react';

/**
 * Renders the parts of a long page one after the other, so that the page can respond to the user between two
 * parts. With `atOnce`, all are rendered at once, for a link to a part further down.
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
  return shown.map(({ name, content }) => <Fragment key={name}>{content}</Fragment>);
}
