// A titled card, the building block of screens.
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { createContext, useContext, useId, type ReactNode } from 'react';
import { PanelPart } from './PanelPart.tsx';

const GroupLevel = createContext<2 | 3>(2);
/** In a panel, a section is a heading with what belongs to it: a card would stand in from the other parts. */
export const IsInPanel = createContext(false);

export type SectionProps = {
  readonly title?: string;
  readonly lead?: ReactNode;
  /** At the right of the title. */
  readonly actions?: ReactNode;
  /** Without padding: for tables and lists that reach the edges. */
  readonly flush?: boolean;
  /** 3 for a card inside a section; always 3 in a {@link SectionGroup}. */
  readonly level?: 2 | 3;
  readonly children: ReactNode;
};

export function Section({ title, lead, actions, flush = false, level: own, children }: SectionProps) {
  const around = useContext(GroupLevel);
  const isInPanel = useContext(IsInPanel);
  const level = own ?? (isInPanel ? 3 : around);
  if (isInPanel && !flush && title !== undefined)
    return (
      <PanelPart title={title} actions={actions} lead={lead}>
        {children}
      </PanelPart>
    );
  return (
    <Card component="section" sx={{ minWidth: 0, display: 'flex', flexDirection: 'column' }}>
      {(title !== undefined || actions !== undefined) && (
        <Stack
          direction="row"
          sx={{
            // The label of a select below a title stands on its border.
            gap: '12px 8px',
            alignItems: 'center',
            justifyContent: 'space-between',
            flexWrap: 'wrap',
            padding: { xs: '12px 16px 0', sm: '16px 24px 0' },
            minHeight: 44,
            // Aligns the text of a borderless button with the end of what is below.
            '& > .MuiButton-text:last-child': { marginInlineEnd: '-10px' },
          }}
        >
          {title !== undefined && (
            <Typography
              variant={level === 2 ? 'h2' : 'h3'}
              component={level === 2 ? 'h2' : 'h3'}
              // A long title leaves room for one icon beside it.
              {...(actions !== undefined && { sx: { maxWidth: 'calc(100% - 52px)' } })}
            >
              {title}
            </Typography>
          )}
          {actions}
        </Stack>
      )}
      {lead !== undefined && (
        <Typography
          variant="body2"
          color="textSecondary"
          sx={{
            textWrap: 'pretty',
            padding: { xs: `${actions === undefined ? 4 : 8}px 16px 0`, sm: '4px 24px 0' },
          }}
        >
          {lead}
        </Typography>
      )}
      <Box
        sx={
          flush
            ? { marginTop: title === undefined ? 0 : 1.5, minWidth: 0 }
            : {
                padding: { xs: '16px', sm: '16px 24px 24px' },
                minWidth: 0,
                flex: 1,
                // A section with only a title and a sentence ends below them.
                '&:empty': { paddingTop: 0 },
              }
        }
      >
        {children}
      </Box>
    </Card>
  );
}

/** Related sections side by side under one heading: what a page has besides its main content. */
export function SectionGroup({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <Box component="section" aria-labelledby={heading} sx={{ minWidth: 0, marginTop: { xs: 1, sm: 2 } }}>
      <Typography id={heading} variant="h2" sx={{ marginBottom: 1.5 }}>
        {title}
      </Typography>
      <GroupLevel value={3}>
        <Box
          sx={{
            display: 'grid',
            gap: { xs: 2, sm: 3 },
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' },
            // The last of an odd number spans the row.
            '& > :last-child:nth-child(odd)': { gridColumn: '1 / -1' },
          }}
        >
          {children}
        </Box>
      </GroupLevel>
    </Box>
  );
}

/**
 * Cards side by side: `columns` from 1200 px, two from 600 px (three stay three), otherwise one (or two with
 * `pairs`, for figures).
 */
export function Grid({
  columns = 2,
  pairs = false,
  children,
}: {
  columns?: 1 | 2 | 3 | 4 | 5;
  pairs?: boolean;
  children: ReactNode;
}) {
  const few = columns === 1 ? '1fr' : 'repeat(2, minmax(0, 1fr))';
  return (
    <Box
      sx={{
        display: 'grid',
        gap: { xs: 2, sm: 3 },
        gridTemplateColumns: {
          xs: pairs ? few : 'minmax(0, 1fr)',
          sm: columns === 3 ? 'repeat(3, minmax(0, 1fr))' : few,
          lg: `repeat(${columns}, minmax(0, 1fr))`,
        },
      }}
    >
      {children}
    </Box>
  );
}
