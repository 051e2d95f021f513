// What a list is made of: columns, selection, row actions, and the query behind it.
import type { ReactNode } from 'react';
import type { Page } from '#kernel/shape.ts';
import type { FilterSpec } from './FilterBar.tsx';
import type { RowAction } from './RowMenu.tsx';
import type { FilterValues, GivenView, TableState } from './table-state.ts';

export type Column<Row> = {
  /** Also the name the server sorts by, when `sortable`. */
  readonly key: string;
  readonly label: string;
  readonly render: (row: Row) => ReactNode;
  /** Numbers and amounts. */
  readonly align?: 'right';
  readonly sortable?: boolean;
  readonly width?: number | string;
  /** 'wide' is left out between 600 and 899 px, unless somebody chose it. */
  readonly show?: 'always' | 'wide';
  /** In a card: its title (one column), a line beside its label, or left out unless somebody chose it. */
  readonly card?: 'title' | 'line' | 'hidden';
};

export type Selection = {
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
  /** How many they are, when more are chosen than are named. */
  readonly count?: number;
  /** Choosing all that the filter has, where more match than are chosen. */
  readonly more?: { readonly total: number; readonly isCounting: boolean; readonly choose: () => void };
  /** Buttons for what is selected, in the bar at the bottom. */
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
  /** Its name among all lists of the console, for saved views and chosen columns; a short list that comes whole has neither. */
  readonly list?: string;
  /** Views that everybody has, the whole list first: then all views of the list stand above it as tabs. */
  readonly given?: readonly GivenView[];
  /** Names the list for screen readers. */
  readonly label: string;
  /** An h2 above the list, where the page holds more than the list. */
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
  readonly searchLabel?: string;
  readonly filters?: FilterSpec<F>;
  /** At the right of the filters: a switch, an export. */
  readonly toolbar?: ReactNode;
  /** Filters that are more than a choice of a few, behind those. */
  readonly moreFilters?: ReactNode;
  /** First use: why the list is empty and how the first row comes about. */
  readonly empty: ReactNode;
  readonly rowActions?: (row: Row) => readonly RowAction[];
  readonly selection?: Selection;
  /** Rows that cannot be selected (one's own account). */
  readonly canSelect?: (row: Row) => boolean;
  /** The list is there as a whole: nothing to page. */
  readonly isWhole?: boolean;
  readonly onRowClick?: (row: Row) => void;
  /** A row that needs attention: tints it. */
  readonly isMarked?: (row: Row) => boolean;
};
