// Runs a job of a feature now, as the queue would.
import { required } from '#kernel/assert.ts';
import { features } from '#app/features.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';

/** Runs the job of that name once; throws what it throws. */
export function runFeatureJob(app: App, name: string, payload: object = {}): Promise<void> {
  const job = required(
    features.flatMap((feature) => feature.jobs).find((each) => each.name === name),
    `the job ${name}`,
  );
  return job.run(app, payload as never, new AbortController().signal);
}
