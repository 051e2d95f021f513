// What every list offers but a column of the house makes: saved views. The roof plugs them in.
import { createContext, type ComponentType } from 'react';
import type { TableViews } from './table-state.ts';

/** A view that everybody has. */
export type GivenView = { readonly label: string; readonly view: string };

export type ListViewsProps = {
  /** The list's name: 'services'. */
  readonly list: string;
  readonly views: TableViews;
};

export type ListSlots = {
  /** Given and saved views as tabs above the list; `panel` is the id of what they switch. */
  readonly Tabs: ComponentType<ListViewsProps & { readonly given: readonly GivenView[]; readonly panel: string }>;
  /** Saved views in a popover, for lists that have no tabs. */
  readonly Menu: ComponentType<ListViewsProps & { readonly onClose: () => void }>;
};

/** Undefined where nobody is signed in: then lists have no views. */
export const ListSlotsContext = createContext<ListSlots | undefined>(undefined);
