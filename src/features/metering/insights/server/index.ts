// The public API of insights on the server: its routes.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { insights, insightsErrors } from '../contract.ts';
import { dimensions, explore } from './explore.ts';
import { exportUsage } from './export-usage.ts';
import { forecast } from './forecast.ts';
import { notifyUnusualJob } from './notify-unusual.ts';
import { judgeDay, takeBackVerdict, unusualDays } from './unusual.ts';

export const insightsFeature = feature({
  name: 'insights',
  contract: insights,
  errors: insightsErrors,
  verbs: { explore, dimensions, forecast, unusualDays, judgeDay, takeBackVerdict, exportUsage },
  jobs: [notifyUnusualJob],
});

export { expectedDays } from './forecast.ts';
