// The public API of the portal: its calls, the actor of a session's token, and the origins that may frame its
// page.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { portal, portalErrors } from '../contract.ts';
import { createLink, listSessions, openLink, revokeSession } from './links.ts';
import { getSettings, saveSettings } from './origins.ts';

export const portalFeature = feature({
  name: 'portal',
  contract: portal,
  errors: portalErrors,
  verbs: { getSettings, saveSettings, createLink, listSessions, revokeSession, openLink },
});

export { actorOfPortal, isPortalToken } from './authenticate.ts';
export { admitPortal, portalsOver } from './live.ts';
export { frameAncestors } from './origins.ts';
