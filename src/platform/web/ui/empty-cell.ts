import type { ReactNode } from 'react';

/** Whether a cell of a table shows nothing, or the dash that fills it: a card leaves such a line out. */
export const isEmptyCell = (content: ReactNode): boolean =>
  content === null || content === undefined || content === false || content === '' || content === '–';
