// Parts of a page, one below the other.
import Stack from '@mui/material/Stack';
import { skeletonClasses } from '@mui/material/Skeleton';
import { createContext, useContext, type ReactNode } from 'react';

/** Whether all parts of the page have had their first data; set by `Page`. */
export const PageLoaded = createContext(true);

const waiting = `.${skeletonClasses.root}`;
/** What is below a part that still waits for its data stays hidden: it would move when that part grows. */
export const hiddenBelowWaiting = {
  [`& > :is(${waiting}, :has(${waiting})) ~ *`]: { visibility: 'hidden' },
} as const;

/** Several parts where `Page` expects one, such as those of a tab. They appear like the page's own. */
export function Parts({ children }: { readonly children: ReactNode }) {
  const isLoaded = useContext(PageLoaded);
  return <Stack sx={{ gap: { xs: 2, sm: 3 }, ...(!isLoaded && hiddenBelowWaiting) }}>{children}</Stack>;
}
