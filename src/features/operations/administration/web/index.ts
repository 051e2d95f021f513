// Administration's public API in the browser: the state of the system.
export { forgetLoaded, systemQueries, useSystemStatus } from './status.ts';
