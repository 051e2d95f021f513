// E-invoices' public API in the browser: the Admin's screen, and parts of bills and the profile (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadEinvoicesScreen = () =>
  withTexts(import('./EinvoicesScreen.tsx'), 'einvoices').then((module) => module.EinvoicesScreen);
/** The e-invoices of a bill for an Admin. */
export const loadAdminBillEinvoices = () =>
  withTexts(import('./AdminBillEinvoices.tsx'), 'einvoices').then((module) => module.AdminBillEinvoices);
/** A customer's e-invoices: of one bill, all, and whether there are any at all. */
export const loadOwnEinvoices = async () => {
  const [{ BillEinvoices }, { OwnEinvoices, useEinvoicesOn }] = await withTexts(
    Promise.all([import('./BillEinvoices.tsx'), import('./OwnEinvoices.tsx')]),
    'einvoices',
  );
  return { BillEinvoices, OwnEinvoices, useEinvoicesOn };
};
/** Where a customer's e-invoices are kept, and whether that can be chosen. */
export const loadEinvoicePreference = async () => {
  const { PreferenceSection, useHasPreference } = await withTexts(
    import('./PreferenceSection.tsx'),
    'einvoices',
  );
  return { PreferenceSection, useHasPreference };
};
