// The layout of registration: no shell, only the home page's header (R-SHELL-01).
import Box from '@mui/material/Box';
import { Suspense } from 'react';
import { Outlet } from 'react-router';
import { Spinner } from '#platform/web/ui/Spinner.tsx';
import { WelcomeHead } from './WelcomeHead.tsx';

export function WelcomeLayout() {
  return (
    <Box sx={{ minHeight: '100dvh', display: 'flex', flexDirection: 'column' }}>
      <Box
        sx={{
          width: '100%',
          maxWidth: 1120,
          marginInline: 'auto',
          paddingInline: { xs: '16px', sm: '32px' },
        }}
      >
        <WelcomeHead />
      </Box>
      <Box component="main" sx={{ flex: 1, display: 'flex', flexDirection: 'column' }}>
        <Suspense fallback={<Spinner />}>
          <Outlet />
        </Suspense>
      </Box>
    </Box>
  );
}
