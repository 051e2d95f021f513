// Begins and ends looking at the console as somebody, in this tab.
import type { Out } from '#kernel/contract.ts';
import type { identity } from '../contract.ts';
import { useAuthStore, useViewing } from '#platform/web/session/auth-store.ts';
import { queryCache } from '#platform/web/api/queries.ts';
import { renewSession, signIn } from '#platform/web/session/session.ts';
import { identityApi } from './api.ts';

/** Shows the console as the answer's user sees it. The cookie stays the Admin's, so that whatever ends the view brings them back. */
export function beginView({ user, token, expiresAt }: Out<typeof identity.startView>): void {
  useViewing.setState({ viewer: useAuthStore.getState().user, until: expiresAt });
  // Nothing of the Admin's may stand on a screen of the user's.
  queryCache.clear();
  signIn({ user, token, expiresAt, mustEnrol: false });
}

/** Ends the view on the server and in this tab, which is the Admin's again; answers where it began. */
export async function endView(): Promise<string> {
  const viewed = useAuthStore.getState().user?.id;
  // A view that has run out is over already, and what is asked next is the Admin's session in any case.
  await identityApi.endView().catch(() => undefined);
  const { viewer } = useViewing.getState();
  useViewing.setState({ viewer: null, until: null });
  useAuthStore.setState({ user: viewer, accessToken: null });
  queryCache.clear();
  await renewSession();
  return `/admin/user-management?user=${viewed ?? ''}`;
}
