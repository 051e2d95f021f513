// What every list offers but a part of the screen makes: what somebody keeps of it, views and columns. The app plugs them in.
import { createContext, type ComponentType } from 'react';
import type { ChosenColumns } from './column-store.ts';
import type { Room } from './column-choice.ts';
import type { Column } from './list-parts.ts';
import type { GivenView, TableViews } from './table-state.ts';

export type ListViewsProps = {
  /** The list's name: 'services'. */
  readonly list: string;
  readonly views: TableViews;
};

/** Given and saved views as tabs above the list; `panel` is the id of what they switch. */
export type ViewTabsProps = ListViewsProps & { readonly given: readonly GivenView[]; readonly panel: string };
/** Saved views in a popover, for lists that have no tabs. */
export type ViewsMenuProps = ListViewsProps & { readonly onClose: () => void };
/** Which columns are shown and in which order, in a popover. */
export type ListColumnsProps = {
  readonly columns: readonly Pick<Column<never>, 'key' | 'label' | 'show' | 'card'>[];
  readonly chosen: ChosenColumns;
  readonly room: Room;
};

export type ListPartProps =
  | ({ readonly part: 'tabs' } & ViewTabsProps)
  | ({ readonly part: 'menu' } & ViewsMenuProps)
  | ({ readonly part: 'columns' } & ListColumnsProps);

/** Undefined where nobody is signed in: then lists have neither views nor a choice of columns. */
export const ListPartContext = createContext<{ readonly Part: ComponentType<ListPartProps> } | undefined>(
  undefined,
);
