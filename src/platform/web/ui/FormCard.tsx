// The centered card of sign-in, registration and set-up; edge to edge on phones.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useDocumentTitle } from '../shell/document-title.ts';

export function FormCard({
  title,
  lead,
  footer,
  children,
}: {
  title: string;
  lead?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
}) {
  useDocumentTitle(title);
  return (
    <Box
      sx={{
        flex: 1,
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        justifyContent: { xs: 'flex-start', sm: 'center' },
        padding: { xs: 0, sm: '32px 16px' },
      }}
    >
      <Box
        sx={{
          width: '100%',
          maxWidth: { sm: 440 },
          padding: { xs: '24px 16px', sm: '32px' },
          bgcolor: 'background.paper',
          border: { sm: '1px solid' },
          borderColor: { sm: 'divider' },
          borderRadius: { sm: '5px' },
          flex: { xs: 1, sm: 'none' },
        }}
      >
        <Typography variant="h1">{title}</Typography>
        {lead !== undefined && (
          <Typography variant="body2" color="textSecondary" sx={{ marginTop: 0.5 }}>
            {lead}
          </Typography>
        )}
        <Box sx={{ marginTop: 3 }}>{children}</Box>
        {footer !== undefined && (
          <Typography variant="body2" component="p" sx={{ marginTop: 3, textAlign: 'center' }}>
            {footer}
          </Typography>
        )}
      </Box>
    </Box>
  );
}
