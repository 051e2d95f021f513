// Parts for signed-in users, in a separate module, so that the entry bundle, which imports the public API,
// does not contain them.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadApiKeysScreen = () =>
  withTexts(import('./ApiKeysScreen.tsx'), 'identity').then((module) => module.ApiKeysScreen);
export const loadOrganizationPanel = () =>
  withTexts(import('./OrganizationPanel.tsx'), 'identity').then((module) => module.OrganizationPanel);
export const loadListPart = () =>
  withTexts(import('./ListPart.tsx'), 'identity').then((module) => module.ListPart);
