// Parts whose code is fetched when they are drawn for the first time, or a little earlier.
import { createElement, use, type ComponentType } from 'react';
import { fulfilled } from './fulfilled.ts';

export type LazyComponent<Props> = {
  /** Suspends until the code is there; what is there already stands at once, which React's own `lazy` does only a moment later. */
  readonly Component: ComponentType<Props>;
  /** Fetches the code, once; rejects when it cannot be had. */
  readonly preload: () => Promise<unknown>;
};

/** `load` is asked once, whatever becomes of it: a page that is opened anew asks again. */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  let asked: Promise<ComponentType<Props>> | undefined;
  const preload = (): Promise<ComponentType<Props>> => {
    if (asked) return asked;
    const promise = load();
    // Whoever draws the part is told of a failure.
    promise.then(
      (Part) => fulfilled(promise, Part),
      () => undefined,
    );
    asked = promise;
    return promise;
  };
  return { Component: (props) => createElement(use(preload()), props), preload };
}
