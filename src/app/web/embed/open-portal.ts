// Opens the link of the address, once: its token is taken out of the address at once and exchanged for a session that only this page knows.
import type { OpenedPortal } from '#features/access/portal/contract.ts';
import { portalApi } from '#features/access/portal/web/parts.ts';
import { queryCache } from '#platform/web/api/queries.ts';
import { changeLanguage } from '#platform/web/i18n/i18n.ts';
import { signIn } from '#platform/web/session/session.ts';
import { meetHost } from './host.ts';

/** No live connection is open to a link's session, so what is shown is asked for again this often while it is seen. */
const refreshMs = 60_000;

function refreshByItself(): void {
  const { queries, ...others } = queryCache.getDefaultOptions();
  queryCache.setDefaultOptions({ ...others, queries: { ...queries, refetchInterval: refreshMs } });
}

let opening: Promise<OpenedPortal> | undefined;

async function open(): Promise<OpenedPortal> {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  history.replaceState(null, '', location.pathname + location.search);
  const opened = await portalApi.openLink({ token: token === '' ? '-' : token });
  meetHost(opened.origins);
  await changeLanguage(opened.language);
  signIn({
    user: {
      id: opened.linkId,
      account: '',
      name: opened.organization,
      role: opened.mayChange ? 'User' : 'ReadOnly',
      organizationId: opened.organizationId,
      organization: opened.organization,
    },
    token: opened.token,
    expiresAt: opened.expiresAt,
    mustEnrol: false,
    idleMinutes: null,
  });
  refreshByItself();
  return opened;
}

/** The opened link, the same for every caller of this page. Rejects when it cannot be opened. */
export const openPortal = (): Promise<OpenedPortal> => (opening ??= open());
