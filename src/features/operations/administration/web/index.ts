// Administration's public API in the browser: the state of the system.
export { systemQueries, useSystemStatus } from './status.ts';
