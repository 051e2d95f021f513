// The browser's API client of device authorization.
import { devices } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const { client: devicesApi } = connect('devices', devices, consoleApi);
