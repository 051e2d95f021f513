// Planning's public API: its calls.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { planning, planningErrors } from '../contract.ts';
import { ownUsage } from './own-usage.ts';
import { planFit } from './plan-fit.ts';
import { exportSimulation, simulate } from './simulate.ts';

export const planningFeature = feature({
  name: 'planning',
  contract: planning,
  errors: planningErrors,
  verbs: { simulate, exportSimulation, ownUsage, planFit },
  // They read in many steps, longer than a transaction may last, and change nothing.
  ownUnitOfWork: ['simulate', 'exportSimulation'],
});
