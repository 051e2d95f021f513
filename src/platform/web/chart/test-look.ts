// A look for tests: each colour says what it is for.
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
