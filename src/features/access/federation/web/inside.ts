// What the signed-in are shown, fetched when it is: apart from the door that the entry comes in by.
import { withTexts } from '#platform/web/i18n.ts';

export const loadExternalIdentities = () =>
  withTexts(import('./ExternalIdentities.tsx'), 'federation').then((module) => module.ExternalIdentities);
