// The browser's API client of e-invoices.
import { einvoices } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: einvoicesApi,
  queries: einvoicesQueries,
  keyOf: einvoicesKey,
} = connect('einvoices', einvoices, consoleApi);

/**
 * Data that changes while an Admin is watching: every component that shows e-invoices refreshes all of it,
 * for users who continue to another one.
 */
export const changing = [
  einvoicesKey('adminListEinvoices'),
  einvoicesKey('adminGetEinvoice'),
  einvoicesKey('adminBillEinvoices'),
  einvoicesKey('listTracks'),
  einvoicesKey('periodSummary'),
];
