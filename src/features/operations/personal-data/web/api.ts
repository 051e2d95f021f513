// The browser's API client of personal data.
import { personalData } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: personalDataApi,
  queries: personalDataQueries,
  keyOf: personalDataKey,
} = connect('personaldata', personalData, consoleApi);
