// The public API of meters: routes, and functions for other features.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { meterErrors, meters } from '../contract.ts';
import { createMeter, deleteMeter, updateMeter } from './change-meter.ts';
import { checkDataSchema, getMeter, listMeters } from './read-meters.ts';

export const metersFeature = feature({
  name: 'meters',
  contract: meters,
  errors: meterErrors,
  verbs: { listMeters, getMeter, createMeter, updateMeter, deleteMeter, checkDataSchema },
});

export { compileSchema } from './data-schema.ts';
export { allMeters, meterByKey } from './store.ts';
export { createMeter } from './change-meter.ts';
export { ensureMeters } from './ensure-meters.ts';
