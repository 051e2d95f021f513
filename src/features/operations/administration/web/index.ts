// Administration's public API in the browser: the state of the system.
export { useSystemStatus } from './status.ts';
