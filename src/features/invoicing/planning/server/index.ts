// The public API of planning: its routes.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { planning, planningErrors } from '../contract.ts';
import { ownUsage } from './own-usage.ts';
import { planFit } from './plan-fit.ts';
import { exportSimulation, simulate } from './simulate.ts';
import { simulateContract } from './simulate-contract.ts';

export const planningFeature = feature({
  name: 'planning',
  contract: planning,
  errors: planningErrors,
  verbs: { simulate, exportSimulation, ownUsage, planFit, simulateContract },
  // These routes only read, but in many steps that take longer than a transaction may last.
  ownUnitOfWork: ['simulate', 'exportSimulation', 'simulateContract'],
});
