// The metrics of the audit log's destinations at /metrics.
import { Gauge, type Registry } from 'prom-client';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { exportFigures, type CountedExport } from './store.ts';

type Figure = {
  readonly name: string;
  readonly help: string;
  readonly of: (row: CountedExport, now: Date) => number;
};
const figures: readonly Figure[] = [
  {
    name: 'audit_export_waiting_entries',
    help: 'Entries of the audit log that wait to be sent.',
    of: ({ waiting }) => Number(waiting),
  },
  {
    name: 'audit_export_waiting_seconds',
    help: 'How long the first of them has waited; 0 when none waits.',
    of: ({ waitingSince }, now) =>
      waitingSince === null ? 0 : Math.max(0, (now.getTime() - waitingSince.getTime()) / 1000),
  },
  {
    name: 'audit_export_failing',
    help: 'Whether the last attempt to send failed (1) or not (0).',
    of: ({ failingSince }) => Number(failingSince !== null),
  },
  {
    name: 'audit_export_sent_entry',
    help: 'The number of the last entry that was acknowledged.',
    of: ({ sentSeq }) => Number(sentSeq),
  },
];

/** Registers the metrics of audit exports. */
export function addAuditExportMetrics(registry: Registry, app: App): void {
  // All gauges of one scrape share one query.
  let scraped: Promise<CountedExport[]> | undefined;
  const rows = (): Promise<CountedExport[]> =>
    (scraped ??= exportFigures({ db: app.database.kysely }).finally(() => (scraped = undefined)));
  for (const { name, help, of } of figures) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ['export', 'name'],
      registers: [registry],
      collect: async () => {
        gauge.reset();
        for (const row of await rows())
          gauge.set({ export: row.id, name: row.name }, of(row, app.clock.now()));
      },
    });
  }
}
