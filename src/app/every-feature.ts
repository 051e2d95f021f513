// All features of a console, including those that are made from the others.
import type { Feature } from '#platform/server/unit-of-work/feature.ts';
import { monitoringFeature } from '#features/operations/monitoring/server/index.ts';
import { consoleFeature } from './console/dashboards.ts';
import { features } from './features.ts';
import { grantsFeature } from './grants/verbs.ts';

/** The features of one console; `whole` is what monitoring reads from it. */
export function everyFeature(whole: Parameters<typeof monitoringFeature>[0]): readonly Feature[] {
  const all: readonly Feature[] = [
    ...features,
    monitoringFeature(whole),
    consoleFeature(() => all),
    grantsFeature(() => all),
  ];
  return all;
}
