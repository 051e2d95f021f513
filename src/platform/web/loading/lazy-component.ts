// Components whose code is loaded when they are first rendered, or earlier by `preload`.
import { createElement, use, type ComponentType } from 'react';
import { fulfilled } from './fulfilled.ts';
import { whenNotReloading } from './outdated.ts';

export type LazyComponent<Props> = {
  /**
   * Suspends until the code is loaded. Unlike React's `lazy`, it does not suspend at all when the code is
   * already loaded.
   */
  readonly Component: ComponentType<Props>;
  /** Loads the code, once; rejects when it cannot be loaded. */
  readonly preload: () => Promise<unknown>;
};

/** `load` is called once, even if it fails: browsers remember a failed import, so only a reload helps. */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  let loading: Promise<ComponentType<Props>> | undefined;
  const preload = (): Promise<ComponentType<Props>> => {
    if (loading) return loading;
    const promise = load().catch(async (error: unknown) => {
      await whenNotReloading();
      throw error;
    });
    // `use` throws the failure when the component is rendered; this only marks it as handled.
    promise.then(
      (Part) => fulfilled(promise, Part),
      () => undefined,
    );
    loading = promise;
    return promise;
  };
  return { Component: (props) => createElement(use(preload()), props), preload };
}
