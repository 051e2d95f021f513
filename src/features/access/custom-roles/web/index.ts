// The public API of custom roles in the browser: the list for the platform or an organization, loaded when shown, and their queries.
import { withTexts } from '#platform/web/i18n/i18n.ts';

export { rolesQueries } from './api.ts';
export { useRoleChoices } from './use-role-choices.ts';
export const loadRolesPart = () =>
  withTexts(import('./RolesPart.tsx'), 'customroles', 'identity').then((module) => module.RolesPart);
