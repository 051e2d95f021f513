// A screen whose code is fetched when its path is opened, or a little earlier.
import type { ComponentType } from 'react';
import { lazyComponent, type LazyComponent } from '#platform/web/loading/lazy-component.ts';

export type Screen = LazyComponent<object> & { readonly path: string };

/** `load` is what a feature exports: `loadBillsScreen`. */
export const screen = (path: string, load: () => Promise<ComponentType>): Screen => ({
  path,
  ...lazyComponent(load),
});
