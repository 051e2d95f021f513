import { Fragment, startTransition, useEffect, useReducer, type ReactNode } from 'react';

/**
 * Parts of a long page, each drawn when the one above it has been: between two of them the page answers whoever uses it.
 * With `atOnce` all are there from the beginning, for somebody who comes to see one further down.
 */
export function DeferredRender({
  parts,
  atOnce = false,
}: {
  readonly parts: readonly { readonly name: string; readonly content: ReactNode }[];
  readonly atOnce?: boolean;
}) {
  const [turns, next] = useReducer((before: number) => before + 1, 1);
  const shown = atOnce ? parts : parts.slice(0, turns);
  const isMore = shown.length < parts.length;
  useEffect(() => {
    if (isMore) startTransition(next);
  }, [isMore, turns]);
  return shown.map(({ name, content }) => <Fragment key={name}>{content}</Fragment>);
}
