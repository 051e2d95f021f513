// The browser's API client of books.
import { books } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: booksApi,
  queries: booksQueries,
  keyOf: booksKey,
} = connect('books', books, consoleApi);
