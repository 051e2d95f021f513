// What every list offers but a column of the house makes: what somebody keeps of it, views and columns. The roof plugs them in.
import { createContext, type ComponentType } from 'react';
import type { ChosenColumns } from '../column-store.ts';
import type { Room } from './column-choice.ts';
import type { Column } from './list-parts.ts';
import type { GivenView, TableViews } from './table-state.ts';

export type ListViewsProps = {
  /** The list's name: 'services'. */
  readonly list: string;
  readonly views: TableViews;
};

export type ListColumnsProps = {
  readonly columns: readonly Pick<Column<never>, 'key' | 'label' | 'show' | 'card'>[];
  readonly chosen: ChosenColumns;
  readonly room: Room;
};

export type ListSlots = {
  /** Given and saved views as tabs above the list; `panel` is the id of what they switch. */
  readonly Tabs: ComponentType<ListViewsProps & { readonly given: readonly GivenView[]; readonly panel: string }>;
  /** Saved views in a popover, for lists that have no tabs. */
  readonly Menu: ComponentType<ListViewsProps & { readonly onClose: () => void }>;
  /** Which columns are shown and in which order, in a popover. */
  readonly Columns: ComponentType<ListColumnsProps>;
};

/** Undefined where nobody is signed in: then lists have no views. */
export const ListSlotsContext = createContext<ListSlots | undefined>(undefined);
