// What the server says of itself. Every page asks, so it is asked without the contract's schemas.
import type { SystemStatus } from '../contract.ts';
import { askedOnce, type Asked } from '#platform/web/asked.ts';
import { consoleApi } from '#platform/web/console-api.ts';
import { callFor, type PlainRoute } from '#platform/web/plain-call.ts';

export const statusRoute = { method: 'GET', path: '/system/status' } as const satisfies PlainRoute;

export const statusSample: SystemStatus = {
  initialized: true,
  name: '',
  companyPrefix: '',
  supportEmail: '',
  version: '',
  currency: 'TWD',
  timeZone: '',
  language: 'zhTW',
  signIn: { password: true, google: false, oidc: false, passwordReset: false },
};
const status = askedOnce(() => callFor(statusRoute, consoleApi, statusSample));

/** Whether the console is set up, its name and its ways to sign in; the public pages work without the answer. */
export const useSystemStatus = (): Asked<SystemStatus> => status.use();
/** Something of it has changed. */
export const askStatusAgain = async (): Promise<void> => void (await status.again());
