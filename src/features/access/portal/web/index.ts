// The public API of the portal in the browser: its sections, loaded when shown.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadPortalOrigins = () =>
  withTexts(import('./OriginsSection.tsx'), 'portal').then((module) => module.OriginsSection);
export const loadPortalSessions = () =>
  withTexts(import('./PortalSessions.tsx'), 'portal').then((module) => module.PortalSessions);
