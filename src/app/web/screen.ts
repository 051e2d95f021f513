// A screen whose code is loaded when its path is opened, or earlier by `preload`.
import type { ComponentType } from 'react';
import { lazyComponent, type LazyComponent } from '#platform/web/loading/lazy-component.ts';

export type Screen = LazyComponent<object> & { readonly path: string };

/** `load` is exported by a feature: `loadBillsScreen`. */
export const screen = (path: string, load: () => Promise<ComponentType>): Screen => ({
  path,
  ...lazyComponent(load),
});
