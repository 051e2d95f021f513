// What waits for an Admin's answer: a section with the first few, and how many there are in all.
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
  /** Names the list. */
  readonly label: string;
  readonly query: QueryStateProps<{ readonly items: readonly Item[] }>['query'];
  readonly empty: { readonly title: string; readonly hint: string };
  /** One of them, a {@link WaitingItem}. */
  readonly item: (item: Item) => ReactNode;
  /** Below the list, where there are more than are shown. */
  readonly more: string | false;
  /** Dialogs. */
  readonly children?: ReactNode;
};

export function WaitingSection<Item>(props: WaitingSectionProps<Item>) {
  const { title, lead, label, query, empty, item, more, children } = props;
  return (
    <Section title={title} {...(lead !== undefined && { lead })} flush>
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

/** A row of the list: what waits, and the buttons that answer it, in `columns` by the window's width. */
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
