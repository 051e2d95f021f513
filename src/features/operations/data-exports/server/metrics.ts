// The metrics of nightly exports at /metrics.
import { Gauge, type Registry } from 'prom-client';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { lastDone, lastFailed } from './store.ts';

/** Registers the metrics of nightly exports. */
export function addDataExportMetrics(registry: Registry, app: App): void {
  const ctx = () => ({ db: app.database.kysely, now: app.clock.now() });
  const gauge = (name: string, help: string, read: () => Promise<number>): void => {
    const made: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: async () => made.set(await read()),
    });
  };
  gauge(
    'data_export_last_success_timestamp_seconds',
    'When the newest whole nightly export ended; 0 for none.',
    async () => ((await lastDone(ctx()))?.finishedAt?.getTime() ?? 0) / 1000,
  );
  gauge(
    'data_export_last_success_bytes',
    'How large its files are.',
    async () => (await lastDone(ctx()))?.sizeBytes ?? 0,
  );
  gauge('data_export_failing', 'Whether an export has failed since then (1) or not (0).', async () =>
    Number((await lastFailed(ctx())) !== undefined),
  );
}
