// The browser's connection to the API, with the signed-in user's token, the language and the shared renewal.
import { tagOf } from '#kernel/language.ts';
import { useAuthStore } from '../session/auth-store.ts';
import { currentLanguage } from '../i18n/i18n.ts';
import { requestProof } from './proof.ts';
import { recordReachability } from './reach.ts';
import { dropSession, renewSession } from '../session/session.ts';
import { sayWaiting } from '../toasts/waiting-notice.ts';
import { createTransport } from './transport.ts';

/** The transport for `connect('billing', billing, consoleApi)`. */
export const consoleApi = createTransport({
  origin: '',
  language: () => ({ name: currentLanguage(), tag: tagOf(currentLanguage()) }),
  token: () => useAuthStore.getState().accessToken,
  renew: renewSession,
  onSignedOut: dropSession,
  prove: requestProof,
  onReach: recordReachability,
  onWaiting: sayWaiting,
});
