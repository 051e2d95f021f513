// R-USE-02: which of the three messages a dashboard shows when it cannot be loaded.
import { ApiError } from '#platform/web/api/api-error.ts';
import type { SessionUser } from '#platform/web/session/auth-store.ts';
import type { enUS } from '../../locales/console/enUS.ts';

/**
 * No user or no organization: the user info is incomplete. An unreadable answer requires an Admin; any other
 * failure may be temporary. Undefined when there is no problem.
 */
export function dashboardProblem(
  user: Pick<SessionUser, 'organizationId'> | null,
  error: Error | null,
):
  | Extract<keyof typeof enUS, `billing_dashboard.${string}_failed` | 'billing_dashboard.user_incomplete'>
  | undefined {
  if (user === null || user.organizationId === null) return 'billing_dashboard.user_incomplete';
  if (error === null) return undefined;
  if (!(error instanceof ApiError)) return 'billing_dashboard.data_failed';
  if (error.code === 'platform.no_organization') return 'billing_dashboard.user_incomplete';
  return error.code === 'connection.unreadable'
    ? 'billing_dashboard.data_failed'
    : 'billing_dashboard.load_failed';
}
