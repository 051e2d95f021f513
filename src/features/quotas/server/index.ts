// Quotas' door: their calls, and the reaction that watches usage.
import { feature } from '#platform/server/feature.ts';
import { quotas, quotasErrors } from '../contract.ts';
import { entitlement, listQuotas } from './read.ts';

export const quotasFeature = feature({ name: 'quotas', contract: quotas, errors: quotasErrors, verbs: { listQuotas, entitlement } });

export { checkQuota } from './check-quota.ts';
export { listQuotas } from './read.ts';
export { criticalPercent, warningPercent } from './settings.ts';
