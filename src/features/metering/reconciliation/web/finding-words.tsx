// Findings as text: their badge, their name, their amount and why there is none.
import type { BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import type { Finding, FindingKind, Run } from '../contract.ts';

export const kindTones: Readonly<Record<FindingKind, BadgeTone>> = {
  unbilled: 'error',
  ghost: 'warning',
  differs: 'info',
};
export const runTones: Readonly<Record<Run['state'], BadgeTone>> = {
  waiting: 'neutral',
  running: 'info',
  done: 'success',
  failed: 'error',
};

/** The display name: the resource's name, or its id if it has none. */
export const nameOf = ({ name, resource }: Pick<Finding, 'name' | 'resource'>): string =>
  name === '' ? resource : name;
