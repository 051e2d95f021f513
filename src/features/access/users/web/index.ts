// Users' public API in the browser: its screen, loaded when opened.
import { withTexts } from '#platform/web/i18n/i18n.ts';
export const loadUsersScreen = () =>
  withTexts(import('./UsersScreen.tsx'), 'users', 'identity').then((module) => module.UsersScreen);
export const loadOrganizationMembers = () =>
  withTexts(import('./OrganizationMembers.tsx'), 'users', 'identity').then(
    (module) => module.OrganizationMembers,
  );
