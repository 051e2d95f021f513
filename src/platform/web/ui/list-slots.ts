// Parts of a list that depend on the signed-in user: saved views and chosen columns. The app provides them.
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

/** Given and saved views as tabs above the list; `panel` is the id of the element that they control. */
export type ViewTabsProps = ListViewsProps & { readonly given: readonly GivenView[]; readonly panel: string };
/** Saved views in a popover, for lists that have no tabs. */
export type ViewsMenuProps = ListViewsProps & { readonly onClose: () => void };
/** The choice of columns and their order, in a popover. */
export type ListColumnsProps = {
  readonly columns: readonly Pick<Column<never>, 'key' | 'label' | 'show' | 'card'>[];
  readonly chosen: ChosenColumns;
  readonly room: Room;
};

export type ListPartProps =
  | ({ readonly part: 'tabs' } & ViewTabsProps)
  | ({ readonly part: 'menu' } & ViewsMenuProps)
  | ({ readonly part: 'columns' } & ListColumnsProps);

/** Undefined if no user is signed in: then lists have neither views nor a choice of columns. */
export const ListPartContext = createContext<{ readonly Part: ComponentType<ListPartProps> } | undefined>(
  undefined,
);
