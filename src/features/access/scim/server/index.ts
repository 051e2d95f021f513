// SCIM's public API: its HTTP, and what sign-in and other features ask of it.
export { refreshProvisioned } from './refresh.ts';
export { serveScim } from './scim-http.ts';
export { forgetProvisioned, provisionedGroups } from './store.ts';
