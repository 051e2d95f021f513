// A part of a panel: its heading, optionally with buttons next to it, and its content below.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

export function PanelPart({
  title,
  lead,
  actions,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Box component="section">
      <Stack
        direction="row"
        sx={{
          gap: 1,
          alignItems: 'center',
          justifyContent: 'space-between',
          flexWrap: 'wrap',
          marginBottom: 1,
        }}
      >
        <Typography variant="h3">{title}</Typography>
        {actions}
      </Stack>
      {lead !== undefined && (
        <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 2 }}>
          {lead}
        </Typography>
      )}
      {children}
    </Box>
  );
}
