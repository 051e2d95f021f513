// SCIM's public API.
export { isProvisionedBy } from './store.ts';
