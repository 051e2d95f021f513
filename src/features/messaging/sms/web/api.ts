// The browser's API client of SMS.
import { sms } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const { client: smsApi, queries: smsQueries, keyOf: smsKey } = connect('sms', sms, consoleApi);
