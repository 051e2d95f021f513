/** Whose custom roles are shown: Admins make those of the platform, Users those of their organization. */
export type RoleScope = 'platform' | 'own';
