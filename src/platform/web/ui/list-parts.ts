// The types of a list: columns, selection, row actions, and its query.
import type { ReactNode } from 'react';
import type { Page } from '#kernel/shape.ts';
import type { FilterSpec } from './FilterBar.tsx';
import type { RowAction } from './RowMenu.tsx';
import type { FilterValues, GivenView, TableState } from './table-state.ts';

export type Column<Row> = {
  /** Also the key for sorting on the server, if `sortable`. */
  readonly key: string;
  readonly label: string;
  readonly render: (row: Row) => ReactNode;
  /** Numbers and amounts. */
  readonly align?: 'right';
  readonly sortable?: boolean;
  readonly width?: number | string;
  /** 'wide' is hidden between 600 and 899 px, unless the user chose it. */
  readonly show?: 'always' | 'wide';
  /**
   * In a card: its title (one column), a labeled line, hidden unless the user chose it, or buttons at the
   * bottom, which need no label. An empty line is omitted.
   */
  readonly card?: 'title' | 'line' | 'hidden' | 'foot';
};

export type Selection = {
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
  /** How many rows are selected, if more than `selected` lists. */
  readonly count?: number;
  /** Selects every row that matches the filter, if these are more than the selected rows. */
  readonly more?: { readonly total: number; readonly isCounting: boolean; readonly choose: () => void };
  /** Buttons for the selected rows, in the bar at the bottom. */
  readonly actions: ReactNode;
};

/** The part of a TanStack query that a list needs. */
export type ListQuery<Row> = {
  readonly data: Page<Row> | undefined;
  readonly error: Error | null;
  readonly isPlaceholderData: boolean;
  readonly refetch: () => unknown;
};

export type DataTableProps<Row, F extends FilterValues> = {
  /**
   * The list's name, unique in the console, for saved views and chosen columns; a list without pages has
   * neither.
   */
  readonly list?: string;
  /**
   * Views that every user has, the whole list first; if there are any, all views are shown as tabs above the
   * list.
   */
  readonly given?: readonly GivenView[];
  /** The list's accessible name. */
  readonly label: string;
  /** An h2 above the list, if the page contains more than the list. */
  readonly title?: string;
  /** One sentence below the title. */
  readonly lead?: ReactNode;
  /** At the right of the title. */
  readonly actions?: ReactNode;
  readonly columns: readonly Column<Row>[];
  readonly query: ListQuery<Row>;
  readonly state: TableState<F>;
  readonly rowKey: (row: Row) => string;
  /** The row's name, for its checkbox and its menu. */
  readonly rowName: (row: Row) => string;
  /** What tells rows of one name apart, such as an account; the key if omitted. */
  readonly rowDetail?: (row: Row) => string;
  readonly searchLabel?: string;
  readonly filters?: FilterSpec<F>;
  /** At the right of the filters: a switch, an export. */
  readonly toolbar?: ReactNode;
  /** Filters other than selects, placed after those. */
  readonly moreFilters?: ReactNode;
  /** First use: why the list is empty and how to create the first row. */
  readonly empty: ReactNode;
  readonly rowActions?: (row: Row) => readonly RowAction[];
  readonly selection?: Selection;
  /** Whether a row can be selected (a user's own account cannot). */
  readonly canSelect?: (row: Row) => boolean;
  /** Whether all rows are loaded, so that there are no pages. */
  readonly isWhole?: boolean;
  readonly onRowClick?: (row: Row) => void;
  /**
   * Whether opening a row shows a dialog or a panel (the default), or leads to another page or part of this
   * one.
   */
  readonly isPanel?: boolean;
  /** Whether a row needs attention and is tinted. */
  readonly isMarked?: (row: Row) => boolean;
};
