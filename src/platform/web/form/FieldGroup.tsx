// Fields of a long form that belong together, with a heading and optionally a button; two per row where there
// is room.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';

/** Two fields in a row, one on a phone. */
export const pairs = {
  display: 'grid',
  gap: '12px 16px',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
  alignItems: 'start',
} as const;
/** A field that spans the row. */
export const whole = { gridColumn: { sm: '1 / -1' } } as const;

export function FieldGroup({
  title,
  lead,
  action,
  children,
}: {
  title: string;
  lead?: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  const heading = useId();
  return (
    <Box component="section" aria-labelledby={heading} sx={{ marginBottom: 3 }}>
      <Box
        sx={{
          display: 'flex',
          justifyContent: 'space-between',
          alignItems: 'center',
          flexWrap: 'wrap',
          gap: 1,
          // The label of a field stands on its border.
          marginBottom: lead === undefined ? 2 : 1,
        }}
      >
        <Typography id={heading} variant="h3">
          {title}
        </Typography>
        {action}
      </Box>
      {lead !== undefined && (
        <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 2 }}>
          {lead}
        </Typography>
      )}
      {children}
    </Box>
  );
}
