// The browser's API client of e-invoices.
import { einvoices } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: einvoicesApi,
  queries: einvoicesQueries,
  keyOf: einvoicesKey,
} = connect('einvoices', einvoices, consoleApi);

/** What changes by itself while an Admin looks: every part that shows e-invoices keeps all of it fresh, for whoever goes on to another. */
export const changing = [
  einvoicesKey('adminListEinvoices'),
  einvoicesKey('adminGetEinvoice'),
  einvoicesKey('adminBillEinvoices'),
  einvoicesKey('listTracks'),
  einvoicesKey('periodSummary'),
];
