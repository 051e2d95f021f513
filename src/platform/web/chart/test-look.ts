// A look for tests, in which each color is named after its purpose.
import type { ChartLook } from './look.ts';

export const testLook: ChartLook = {
  isForced: false,
  font: 'sans-serif',
  text: 'var(--text)',
  quiet: 'var(--quiet)',
  paper: 'var(--paper)',
  grid: 'var(--grid)',
  edge: 'var(--edge)',
  other: 'var(--other)',
  first: 'var(--first)',
  hover: 'var(--hover)',
  chosen: 'var(--chosen)',
  primary: 'var(--primary)',
  warning: 'var(--warning)',
  overlay: 'var(--overlay)',
  divider: 'var(--divider)',
  shadow: 'none',
};
