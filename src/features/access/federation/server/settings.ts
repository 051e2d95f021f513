// Settings of sign-in through a provider.
import * as z from 'zod/mini';
import { setting } from '#platform/server/unit-of-work/settings.ts';
import type { RolePolicy } from '../rules.ts';

/** Whether a provider may assign the Admin role. */
export const allowAdminSetting = setting('federation.allowAdmin', z.boolean(), false);
/** The role of a user whose role claim is missing or unknown. */
export const defaultRoleSetting = setting<RolePolicy['defaultRole']>(
  'federation.defaultRole',
  z.enum(['User', 'ReadOnly', 'refuse']),
  'User',
);
