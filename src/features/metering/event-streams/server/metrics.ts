// Metrics of each event stream; alerts are based on its waiting and rejected messages.
import { Gauge, type Registry } from 'prom-client';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { streamFigures, type CountedRow } from './store.ts';

type Figure = {
  readonly name: string;
  readonly help: string;
  /** Undefined if it is unknown. */
  readonly of: (row: CountedRow) => number | undefined;
};
const figures: readonly Figure[] = [
  {
    name: 'event_stream_lag_messages',
    help: 'Messages that wait in the broker; missing where it does not tell.',
    of: ({ lag }) => (lag === null ? undefined : Number(lag)),
  },
  {
    name: 'event_stream_connected',
    help: 'Whether a console reads it now (1) or not (0).',
    of: ({ isConnected }) => Number(isConnected),
  },
  {
    name: 'event_stream_failing',
    help: 'Whether the last attempt to read failed (1) or not (0).',
    of: ({ failingSince }) => Number(failingSince !== null),
  },
  { name: 'event_stream_messages', help: 'Messages that were read.', of: ({ messages }) => Number(messages) },
  { name: 'event_stream_events', help: 'Events that were recorded.', of: ({ events }) => Number(events) },
  {
    name: 'event_stream_rejected_messages',
    help: 'Rejected messages that are kept.',
    of: ({ rejected }) => Number(rejected),
  },
];

/** Registers the metrics of event streams. */
export function addEventStreamMetrics(registry: Registry, app: App): void {
  // All gauges of one scrape share one query.
  let scraped: Promise<CountedRow[]> | undefined;
  const rows = (): Promise<CountedRow[]> =>
    (scraped ??= streamFigures({ db: app.database.kysely }).finally(() => (scraped = undefined)));
  for (const { name, help, of } of figures) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ['stream', 'name'],
      registers: [registry],
      collect: async () => {
        gauge.reset();
        for (const row of await rows()) {
          const figure = of(row);
          if (figure !== undefined) gauge.set({ stream: row.id, name: row.name }, figure);
        }
      },
    });
  }
}
