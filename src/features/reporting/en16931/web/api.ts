// The browser's API client of EN 16931's files.
import { en16931 } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const { client: en16931Api } = connect('en16931', en16931, consoleApi);
