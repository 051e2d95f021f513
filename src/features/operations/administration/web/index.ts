// Administration's door for the browser: the state of the system.
export { useSystemStatus } from './status.ts';
