// The portal's parts for pages that combine features.
export { portalApi } from './api.ts';
