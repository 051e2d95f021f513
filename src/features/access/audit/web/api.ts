// The browser's API client of audit log.
import { audit } from '../contract.ts';
import { consoleApi } from '#platform/web/console-api.ts';
import { connect } from '#platform/web/queries.ts';

export const { client: auditApi, queries: auditQueries } = connect('audit', audit, consoleApi);
