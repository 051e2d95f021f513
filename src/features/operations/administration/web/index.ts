// Administration's public API in the browser: the system status.
export { forgetLoaded, systemQueries, useSystemStatus } from './status.ts';
