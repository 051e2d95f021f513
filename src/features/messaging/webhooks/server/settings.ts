// Settings of webhooks.
import * as z from 'zod/mini';
import { setting } from '#platform/server/unit-of-work/settings.ts';

/** An endpoint is disabled after this many days without a successful delivery. */
export const offAfterDays = setting('webhooks.offAfterDays', z.int().check(z.minimum(1), z.maximum(30)), 5);
