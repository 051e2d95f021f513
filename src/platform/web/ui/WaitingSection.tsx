// Items that await an Admin's decision: a section with the first few, and their total number.
import TaskAltOutlined from '~icons/ic/outline-task-alt';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { EmptyState } from './EmptyState.tsx';
import { Lines, QueryState, type QueryStateProps } from './QueryState.tsx';
import { Section } from './Section.tsx';

export type WaitingSectionProps<Item> = {
  readonly title: string;
  readonly lead?: string;
  /** The accessible name of the list. */
  readonly label: string;
  readonly query: QueryStateProps<{ readonly items: readonly Item[] }>['query'];
  readonly empty: { readonly title: string; readonly hint: string };
  /** Renders an item as a {@link WaitingItem}. */
  readonly item: (item: Item) => ReactNode;
  /** The link below the list, if there are more items than listed. */
  readonly more: string | false;
  /** Dialogs. */
  readonly children?: ReactNode;
};

export function WaitingSection<Item>(props: WaitingSectionProps<Item>) {
  const { title, lead, label, query, empty, item, more, children } = props;
  return (
    <Section title={title} lead={lead} flush>
      <QueryState query={query} skeleton={<Lines count={4} padded />}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState compact icon={<TaskAltOutlined />} title={empty.title} hint={empty.hint} />
          ) : (
            <Box component="ul" aria-label={label} sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
              {items.map(item)}
            </Box>
          )
        }
      </QueryState>
      {more !== false && (
        <Typography variant="caption" component="p" color="textSecondary" sx={{ padding: '8px 24px' }}>
          {more}
        </Typography>
      )}
      {children}
    </Section>
  );
}

/** A row of the list: the item, and its buttons, in `columns` depending on the window's width. */
export const WaitingItem = ({
  columns,
  children,
}: {
  readonly columns: Readonly<Partial<Record<'xs' | 'sm' | 'md', string>>>;
  readonly children: ReactNode;
}) => (
  <Box
    component="li"
    sx={{
      display: 'grid',
      gap: '8px 24px',
      alignItems: 'center',
      gridTemplateColumns: columns,
      padding: { xs: '12px 16px', sm: '12px 24px' },
      borderTop: '1px solid',
      borderColor: 'divider',
    }}
  >
    {children}
  </Box>
);
