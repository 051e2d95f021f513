// The public API of credit limits in the browser: components for dashboards, bills, payments and
// organizations (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

/** The limits of all organizations, for Admins. */
export const loadAdminCreditLimits = () =>
  withTexts(import('./AdminCreditLimits.tsx'), 'creditlimits').then((module) => module.AdminCreditLimits);
/** An organization's outstanding amount, for Admins. */
export const loadOrganizationCredit = () =>
  withTexts(import('./OrganizationCredit.tsx'), 'creditlimits').then((module) => module.OrganizationCredit);
