// The custom roles that a user can assign to people of their organization.
import { useQuery } from '@tanstack/react-query';
import { useAllows } from '#platform/web/session/use-allows.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import type { CustomRole } from '../contract.ts';
import { rolesQueries } from './api.ts';

/** Empty for users who cannot assign roles, and until they are loaded. */
export function useRoleChoices(): readonly CustomRole[] {
  const allows = useAllows();
  const isUser = useAuthStore((auth) => auth.user?.role.trim() === 'User');
  const { data } = useQuery({ ...rolesQueries.listOwnRoles({}), enabled: isUser && allows('people:write') });
  return data?.items ?? [];
}
