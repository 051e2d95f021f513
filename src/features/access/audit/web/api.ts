// The browser's API client of the audit log.
import { audit } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const { client: auditApi, queries: auditQueries } = connect('audit', audit, consoleApi);
