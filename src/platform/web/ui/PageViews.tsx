// The views of a page, one at a time: tabs, and below them the open view.
import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import { useId, type ReactNode } from 'react';
import { useAddressParams } from '../routing/address-params.ts';
import { ScrollableTabs } from './ScrollableTabs.tsx';

type PageViewsProps<View extends string> = {
  /** The accessible name of the tabs. */
  readonly label: string;
  /** The views, and the labels of their tabs. */
  readonly views: readonly (readonly [view: View, name: string])[];
  readonly open: View;
  readonly onOpen: (view: View) => void;
  /** The open view. */
  readonly children: ReactNode;
};

export function PageViews<View extends string>({
  label,
  views,
  open,
  onOpen,
  children,
}: PageViewsProps<View>) {
  const id = useId();
  return (
    <Box sx={{ minWidth: 0 }}>
      <ScrollableTabs
        value={open}
        onChange={(_, next: View) => onOpen(next)}
        aria-label={label}
        sx={{ marginBottom: 2 }}
      >
        {views.map(([view, name]) => (
          <Tab key={view} value={view} label={name} id={`${id}-${view}`} aria-controls={`${id}-panel`} />
        ))}
      </ScrollableTabs>
      <Box role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${open}`}>
        {children}
      </Box>
    </Box>
  );
}

/**
 * The open view from the URL, by default the first. Each view has its own filters, so switching views removes
 * all parameters except those in `kept`.
 */
export function usePageView<View extends string>(
  views: readonly [View, ...View[]],
  kept: readonly string[] = [],
): readonly [open: View, onOpen: (view: View) => void] {
  const [params, setParams] = useAddressParams();
  const [first] = views;
  const open = views.find((one) => one === params.get('view')) ?? first;
  const onOpen = (next: View): void =>
    setParams(
      (now) =>
        new URLSearchParams([
          ...(next === first ? [] : [['view', next]]),
          ...[...now].filter(([name]) => kept.includes(name)),
        ]),
    );
  return [open, onOpen];
}
