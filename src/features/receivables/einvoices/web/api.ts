// The browser's API client of e-invoices.
import { einvoices } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: einvoicesApi,
  queries: einvoicesQueries,
  keyOf: einvoicesKey,
} = connect('einvoices', einvoices, consoleApi);
