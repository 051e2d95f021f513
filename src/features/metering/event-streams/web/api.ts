// The browser's API client of event streams.
import { eventStreams } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: eventStreamsApi,
  queries: eventStreamsQueries,
  keyOf: eventStreamsKey,
} = connect('eventstreams', eventStreams, consoleApi);
