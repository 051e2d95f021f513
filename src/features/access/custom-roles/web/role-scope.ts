/** Whose custom roles are shown: Admins manage those of the platform, Users those of their organization. */
export type RoleScope = 'platform' | 'own';
