// The layout of /login: only the top bar (R-SHELL-02).
import Box from '@mui/material/Box';
import { Suspense } from 'react';
import { Outlet } from 'react-router';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { Spinner } from '#platform/web/ui/Spinner.tsx';
import { OfflineNotice } from './OfflineNotice.tsx';
import { TopBar } from './TopBar.tsx';

export function LoginLayout() {
  const isLoading = useAuthStore((auth) => auth.isLoading);
  if (isLoading) return <Spinner page />;
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: '100dvh' }}>
      <TopBar hasMenu={false} />
      <OfflineNotice />
      <Box component="main" id="main" sx={{ flex: 1, display: 'flex', flexDirection: 'column' }}>
        <Suspense fallback={<Spinner />}>
          <Outlet />
        </Suspense>
      </Box>
    </Box>
  );
}
