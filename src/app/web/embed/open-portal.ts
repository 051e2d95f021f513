// Opens the link in the URL, once: its token is removed from the URL at once and exchanged for a session that
// only this page knows.
import type { OpenedPortal } from '#features/access/portal/contract.ts';
import { portalApi } from '#features/access/portal/web/parts.ts';
import { changeLanguage } from '#platform/web/i18n/i18n.ts';
import { signIn } from '#platform/web/session/session.ts';
import { meetHost } from './host.ts';

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
  return opened;
}

/** The opened link, the same for every caller on this page. Rejects when it cannot be opened. */
export const openPortal = (): Promise<OpenedPortal> => (opening ??= open());
