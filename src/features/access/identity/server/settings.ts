// Settings that identity reads.
import * as z from 'zod/mini';
import { defaultLanguage, type ContentLanguage } from '#kernel/language.ts';
import { contentLanguage, email } from '#kernel/shape.ts';
import { setting } from '#platform/server/unit-of-work/settings.ts';
import { minPasswordLength, minimumPasswordLength as usualPasswordLength } from '../rules.ts';

/** Time zone of new organizations and of the platform's own dates. */
export const timeZoneSetting = setting('general.timeZone', z.string(), 'Asia/Taipei');
/** Whether Admins need a second factor before they can use the console. */
export const requireAdminTwoFactor = setting('security.requireAdminTwoFactor', z.boolean(), false);
/** The language of new users, and of messages to recipients who have not chosen one. */
export const mailLanguage = setting<ContentLanguage>('general.language', contentLanguage, defaultLanguage);
/** The minimum length of a new password, in characters. */
export const minimumPasswordLength = setting(
  'security.minimumPasswordLength',
  z.int().check(z.minimum(minPasswordLength), z.maximum(64)),
  usualPasswordLength,
);
/** The console's name in documents and screens; R-SHELL-17: 'System' until it is set up. */
export const systemName = setting('general.name', z.string(), 'System');
/** The company name in front of the console's name. */
export const companyPrefix = setting('general.companyPrefix', z.string(), '');
/** The support address shown to users who need help or access; empty: not shown. */
export const supportEmail = setting('general.supportEmail', z.union([email, z.literal('')]), '');
