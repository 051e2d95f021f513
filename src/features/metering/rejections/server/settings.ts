// How long rejected events are kept.
import * as z from 'zod/mini';
import { setting } from '#platform/server/unit-of-work/settings.ts';

/** In days after an event was last received. */
export const rejectedEventDays = setting(
  'usage.rejectedEventDays',
  z.int().check(z.minimum(1), z.maximum(365)),
  30,
);
