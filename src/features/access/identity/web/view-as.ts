// Starts and ends viewing the console as another user, in this tab.
import type { Out } from '#kernel/contract.ts';
import type { identity } from '../contract.ts';
import { useAuthStore, useViewing } from '#platform/web/session/auth-store.ts';
import { forgetView, rememberView } from '#platform/web/session/interrupted-view.ts';
import { queryCache } from '#platform/web/api/queries.ts';
import { idleMinutes, renewSession, signIn } from '#platform/web/session/session.ts';
import { identityApi } from './api.ts';

/**
 * Shows the console as the user in the answer. The session cookie stays the Admin's, so that the Admin's own
 * session is restored however the view ends.
 */
export function beginView({ user, token, expiresAt }: Out<typeof identity.startView>): void {
  const viewer = useAuthStore.getState().user;
  useViewing.setState({ viewer, until: expiresAt });
  if (viewer) rememberView(viewer.id, { userId: user.id, name: user.name });
  // Cached data of the Admin must not appear on the user's screens.
  queryCache.clear();
  signIn({ user, token, expiresAt, mustEnrol: false, idleMinutes: idleMinutes() });
}

/**
 * Ends the view on the server and in this tab, which becomes the Admin's again; returns the page where it
 * started.
 */
export async function endView(): Promise<string> {
  const viewed = useAuthStore.getState().user?.id;
  forgetView();
  // Errors are ignored: an expired view has ended already, and the next request uses the Admin's session in
  // any case.
  await identityApi.endView().catch(() => undefined);
  const { viewer } = useViewing.getState();
  useViewing.setState({ viewer: null, until: null });
  useAuthStore.setState({ user: viewer, accessToken: null });
  queryCache.clear();
  await renewSession();
  return `/admin/user-management?user=${viewed ?? ''}`;
}
