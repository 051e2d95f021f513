// SCIM's public API: its HTTP routes, and functions for sign-in and other features.
export { refreshProvisioned } from './refresh.ts';
export { serveScim } from './scim-http.ts';
export { forgetProvisioned, provisionedGroups } from './store.ts';
