// The browser's API client of SMS.
import { sms } from '../contract.ts';
import { consoleApi } from '#platform/web/console-api.ts';
import { connect } from '#platform/web/queries.ts';

export const { client: smsApi, queries: smsQueries, keyOf: smsKey } = connect('sms', sms, consoleApi);
