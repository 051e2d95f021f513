// A screen whose code is fetched when its path is opened, or a little earlier.
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

export type Screen = {
  readonly path: string;
  readonly Component: LazyExoticComponent<ComponentType>;
  /** Begins to fetch the code; harmless when repeated. */
  readonly preload: () => void;
};

/** `load` is what a column's door offers: `loadBillsScreen`. */
export function screen(path: string, load: () => Promise<ComponentType>): Screen {
  return {
    path,
    Component: lazy(async () => ({ default: await load() })),
    // A failure shows when the screen is opened; here it only cost nothing.
    preload: () => void load().catch(() => undefined),
  };
}

/** Begins to fetch the screen of a path, so that its code and the texts arrive together. */
export function preloadScreen(screens: readonly Screen[], path: string): void {
  screens.find((one) => one.path === path)?.preload();
}
