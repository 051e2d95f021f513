// The notification bell, with the paths that its user may open according to the menu; its code is loaded
// after the first screen.
import Box from '@mui/material/Box';
import { Suspense } from 'react';
import { loadBell } from '#features/messaging/notifications/web/parts.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useAfterFirstScreen } from '#platform/web/loading/first-screen.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { mayOpen } from '../menu.ts';

const bell = lazyComponent(loadBell);

export function ShellBell() {
  const user = useAuthStore((auth) => auth.user);
  const hasCome = useAfterFirstScreen(bell);
  const place = <Box aria-hidden sx={{ width: 36, height: 36 }} />;
  if (!hasCome) return place;
  return (
    <Suspense fallback={place}>
      <bell.Component
        allPath={['/user/notifications', '/admin/notifications'].find((path) => mayOpen(user, path))}
        mayOpen={(path) => mayOpen(user, path)}
      />
    </Suspense>
  );
}
