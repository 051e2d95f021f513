// Marks the sign-in method that was used last.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { lastMethod, type Method } from './last-method.ts';

export function LastUsed({ method, children }: { method: Method; children: ReactNode }) {
  const { t } = useTranslation('signin');
  if (lastMethod() !== method) return children;
  return (
    <Box sx={{ position: 'relative' }}>
      {children}
      <Box
        component="span"
        sx={{
          position: 'absolute',
          top: -9,
          insetInlineEnd: 12,
          padding: '0 6px',
          borderRadius: '5px',
          border: '1px solid',
          borderColor: 'divider',
          bgcolor: 'background.paper',
          color: 'text.secondary',
          fontSize: '0.75rem',
          lineHeight: '18px',
        }}
      >
        {t('signin.last_used')}
      </Box>
    </Box>
  );
}
