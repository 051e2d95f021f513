// The portal's parts for pages that combine features.
export { portalTopics } from '../rules.ts';
export { portalApi } from './api.ts';
