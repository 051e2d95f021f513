// What the signed-in are shown, fetched when it is: apart from the public API that the entry imports.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadApiKeysScreen = () =>
  withTexts(import('./ApiKeysScreen.tsx'), 'identity').then((module) => module.ApiKeysScreen);
export const loadOrganizationPanel = () =>
  withTexts(import('./OrganizationPanel.tsx'), 'identity').then((module) => module.OrganizationPanel);
export const loadListPart = () =>
  withTexts(import('./ListPart.tsx'), 'identity').then((module) => module.ListPart);
export const loadProfileScreen = () =>
  withTexts(import('./ProfileScreen.tsx'), 'identity').then((module) => module.ProfileScreen);
