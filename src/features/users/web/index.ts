// Users' door for the browser: its screen, fetched when opened.
export const loadUsersScreen = () => import('./UsersScreen.tsx').then((module) => module.UsersScreen);
export const loadOrganizationMembers = () => import('./OrganizationMembers.tsx').then((module) => module.OrganizationMembers);
