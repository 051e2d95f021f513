// Parts of e-invoices for other screens.
export { BillEinvoices } from './BillEinvoices.tsx';
export { OwnEinvoices, useEinvoicesOn } from './OwnEinvoices.tsx';
export { PreferenceSection, useHasPreference } from './PreferenceSection.tsx';
export { AdminBillEinvoices } from './AdminBillEinvoices.tsx';
