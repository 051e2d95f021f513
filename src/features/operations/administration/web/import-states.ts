// The display of an import's state, and whether it is still in progress.
import type { FocusImport } from '../contract.ts';
import type { BadgeTone } from '#platform/web/ui/StatusBadge.tsx';

export const importTones: Record<FocusImport['state'], BadgeTone> = {
  waiting: 'primary',
  running: 'info',
  done: 'success',
  failed: 'error',
  canceled: 'neutral',
};

/** Whether an import is still running. */
export const isGoingOn = ({ state }: Pick<FocusImport, 'state'>): boolean =>
  state === 'waiting' || state === 'running';

/** The progress of an import, 0 to 1; undefined before its rows are counted. */
export const shareDone = ({
  rowsTotal,
  rowsDone,
}: Pick<FocusImport, 'rowsTotal' | 'rowsDone'>): number | undefined =>
  rowsTotal === 0 ? undefined : rowsDone / rowsTotal;

/** The polling interval while an import runs, in case a live update gets lost. */
export const progressMs = 2000;
