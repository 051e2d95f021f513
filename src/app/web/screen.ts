// A screen whose code is fetched when its path is opened, or a little earlier.
import type { ComponentType } from 'react';
import { fetched, type Fetched } from '#platform/web/fetched.ts';

export type Screen = Fetched<object> & { readonly path: string };

/** `load` is what a feature exports: `loadBillsScreen`. */
export const screen = (path: string, load: () => Promise<ComponentType>): Screen => ({
  path,
  ...fetched(load),
});
