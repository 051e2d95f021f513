// The browser's API client of push.
import { push } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const { client: pushApi, queries: pushQueries, keyOf: pushKey } = connect('push', push, consoleApi);
