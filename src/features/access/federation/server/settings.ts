// Settings of sign-in through a provider.
import * as z from 'zod/mini';
import { setting } from '#platform/server/unit-of-work/settings.ts';
import type { RolePolicy } from '../rules.ts';

/** Whether a provider may make Admins. */
export const allowAdminSetting = setting('federation.allowAdmin', z.boolean(), false);
/** What somebody becomes whose role claim is missing or no role. */
export const defaultRoleSetting = setting<RolePolicy['defaultRole']>(
  'federation.defaultRole',
  z.enum(['User', 'ReadOnly', 'refuse']),
  'User',
);
