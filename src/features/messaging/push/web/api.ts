// The push calls of this browser.
import { push } from '../contract.ts';
import { consoleApi } from '#platform/web/console-api.ts';
import { connect } from '#platform/web/queries.ts';

export const { client: pushApi, queries: pushQueries, keyOf: pushKey } = connect('push', push, consoleApi);
