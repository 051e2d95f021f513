// Quota thresholds that an Admin can change.
import * as z from 'zod/mini';
import { setting } from '#platform/server/unit-of-work/settings.ts';
import { initialThresholds } from '../rules.ts';

const percent = z.number().check(z.minimum(1), z.maximum(100));
export const warningPercent = setting('quotas.warningPercent', percent, initialThresholds.warningPercent);
export const criticalPercent = setting('quotas.criticalPercent', percent, initialThresholds.criticalPercent);
