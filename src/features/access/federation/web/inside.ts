// What the signed-in are shown, fetched when it is: apart from the public API that the entry imports.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadExternalIdentities = () =>
  withTexts(import('./ExternalIdentities.tsx'), 'federation').then((module) => module.ExternalIdentities);
