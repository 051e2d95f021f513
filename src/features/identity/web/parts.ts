// What other screens place of identity.
export { newPasswordPair } from './new-password.ts';
export { MemberLevel } from './MemberLevel.tsx';
export { SavedViews } from './SavedViews.tsx';
export { OrganizationField } from './OrganizationPicker.tsx';
export { chosenOrganization } from './user-fields.ts';

/** An Admin's organizations, fetched when they are opened. */
export const loadOrganizationsScreen = () => import('./OrganizationsScreen.tsx').then((module) => module.OrganizationsScreen);
