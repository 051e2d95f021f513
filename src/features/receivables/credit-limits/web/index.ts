// Credit limits' public API in the browser: parts for dashboards, bills, payments and organizations (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

/** The limits of all organizations, as an Admin sets them. */
export const loadAdminCreditLimits = () =>
  withTexts(import('./AdminCreditLimits.tsx'), 'creditlimits').then((module) => module.AdminCreditLimits);
/** What is outstanding of an organization, for Admins. */
export const loadOrganizationCredit = () =>
  withTexts(import('./OrganizationCredit.tsx'), 'creditlimits').then((module) => module.OrganizationCredit);
