// Parts of custom roles for other screens.
export { RolesPart } from './RolesPart.tsx';
