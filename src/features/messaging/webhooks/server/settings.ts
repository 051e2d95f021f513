// Settings of webhooks.
import * as z from 'zod/mini';
import { setting } from '#platform/server/unit-of-work/settings.ts';

/** After so many days without a delivery an endpoint is switched off. */
export const offAfterDays = setting('webhooks.offAfterDays', z.int().check(z.minimum(1), z.maximum(30)), 5);
