// Metrics of each connector; alerts are based on its lag and its waiting readings.
import { Gauge, type Registry } from 'prom-client';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { lagSeconds } from '../rules.ts';
import { connectorFigures, type CountedRow } from './store.ts';

type Figure = {
  readonly name: string;
  readonly help: string;
  readonly of: (row: CountedRow, now: Date) => number;
};
const figures: readonly Figure[] = [
  {
    name: 'connector_lag_seconds',
    help: 'Seconds since the oldest window that was not read could have been.',
    of: (row, now) => lagSeconds(row.readUntil, row.windowSeconds, row.settleSeconds, now),
  },
  {
    name: 'connector_failing',
    help: 'Whether the last pull failed (1) or not (0).',
    of: ({ failingSince }) => Number(failingSince !== null),
  },
  { name: 'connector_events', help: 'Events that were recorded.', of: ({ events }) => Number(events) },
  {
    name: 'connector_waiting_resources',
    help: 'Resources of which readings wait: nobody pays for them, or metering rejected them.',
    of: ({ waitingResources }) => Number(waitingResources),
  },
];

/** Registers the metrics of connectors. */
export function addConnectorMetrics(registry: Registry, app: App): void {
  // All gauges of one scrape share one query.
  let scraped: Promise<CountedRow[]> | undefined;
  const rows = (): Promise<CountedRow[]> =>
    (scraped ??= connectorFigures({ db: app.database.kysely }).finally(() => (scraped = undefined)));
  for (const { name, help, of } of figures) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ['connector', 'name'],
      registers: [registry],
      collect: async () => {
        const now = app.clock.now();
        gauge.reset();
        for (const row of await rows()) gauge.set({ connector: row.id, name: row.name }, of(row, now));
      },
    });
  }
}
