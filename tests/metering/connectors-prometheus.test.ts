// Connectors against a real Prometheus and a real VictoriaMetrics: counters with resets, gauges over time,
// and rejected queries.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { connectors, type Connector } from '#features/metering/connectors/contract.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';
import { runFeatureJob, stopRepeating } from '../support/jobs.ts';
import {
  hasPrometheus,
  hasVictoriaMetrics,
  startPrometheus,
  startVictoriaMetrics,
} from '../support/prometheus.ts';

const begin = new Date('2024-09-10T00:00:00Z');
const minutes = 240;

/**
 * A counter that is scraped each minute and rises by 7 each time, and by 11 from the reset at minute 95; a
 * gauge of 2, then 3 from minute 120.
 */
function samples(): { text: string; riseOfHour: (hour: number) => number } {
  const rises: number[] = [];
  const lines = { counter: '', gauge: '' };
  let value = 1000;
  for (let minute = -5; minute < minutes; minute++) {
    const rise = minute < 95 ? 7 : 11;
    value = minute === 95 ? rise : value + rise;
    if (minute >= 0) rises.push(rise);
    // Scrapes are not at the edges of windows.
    const at = begin.getTime() / 1000 + minute * 60 + 17;
    lines.counter += `bytes_total{vm="vm-1",project="acme"} ${value} ${at}\n`;
    lines.gauge += `cores{vm="vm-1",project="acme"} ${minute < 120 ? 2 : 3} ${at - 17}\n`;
  }
  return {
    text: `# TYPE bytes counter\n${lines.counter}# TYPE cores gauge\n${lines.gauge}`,
    riseOfHour: (hour) => rises.slice(hour * 60, hour * 60 + 60).reduce((sum, each) => sum + each, 0),
  };
}

const servers = [
  { name: 'Prometheus', isHere: hasPrometheus, start: startPrometheus, says: 'parse error' },
  {
    name: 'VictoriaMetrics',
    isHere: hasVictoriaMetrics,
    start: startVictoriaMetrics,
    says: 'unexpected token',
  },
];
for (const { name, isHere, start, says } of servers)
  describe.skipIf(!isHere)(`a real ${name}`, () => {
    const { text, riseOfHour } = samples();
    let console: TestConsole;
    let admin: string;
    let address: string;
    let subscriptionId: Id<'sub'>;

    beforeAll(async () => {
      address = await start(text);
      console = await createTestConsole(begin, { PRIVATE_HOSTS: '127.0.0.1' });
      await stopRepeating(console.app);
      admin = await setUp(console);
      const { organizationId } = await registerUser(console, 'owner@one.example', 'One');
      const { id: serviceId } = await console.ok(
        catalogue.createService,
        {
          name: 'Traffic',
          type: 'NET',
          category: 'Own',
          pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
          meter: { eventType: 'traffic', aggregation: 'sum', unit: 'B' },
        },
        { token: admin },
      );
      subscriptionId = (
        await console.ok(
          subscriptions.adminSubscribe,
          {
            organizationId: organizationId as Id<'org'>,
            serviceId,
            startedAt: new Date('2024-08-31T16:00:00Z'),
          },
          { token: admin },
        )
      ).id;
    }, 60_000);

    const make = async (mode: string, query: string, measure: object = {}): Promise<Connector> => {
      console.clock.set(begin);
      admin = await signIn(console, adminAccount.account, adminAccount.password);
      return console.ok(
        connectors.createConnector,
        {
          name: query,
          address,
          options: { kind: 'prometheus', mode, query, resourceLabels: ['vm'] },
          credentials: { kind: 'none' },
          windowSeconds: 3600,
          settleSeconds: 0,
          mapping: {
            subscriptionField: '',
            rules: [{ field: 'labels.project', value: 'acme', subscriptionId }],
            measures: [
              {
                eventType: 'traffic',
                quantity: 'value',
                multiplyBy: '1',
                divideBy: '1',
                dimensions: {},
                ...measure,
              },
            ],
          },
        } as never,
        { token: admin },
      );
    };
    const read = async (made: Connector): Promise<string[]> => {
      console.clock.set(new Date(begin.getTime() + minutes * 60_000));
      admin = await signIn(console, adminAccount.account, adminAccount.password);
      await runFeatureJob(console.app, 'connectors');
      const { rows } = await sql<{
        value: string;
      }>`select e.value::text as value from usage_event e join usage_source s on s.id = e.source_id where s.source = ${`/connectors/${made.id}`} order by e.time`.execute(
        console.app.database.kysely,
      );
      return rows.map(({ value }) => String(Number(value)));
    };

    it('T-CONN: the increase of a counter is exact in every window, across a reset, with scrapes beside the edges', async () => {
      const made = await make('counter', 'bytes_total{vm="vm-1"}');
      expect(await read(made)).toEqual([0, 1, 2, 3].map((hour) => String(riseOfHour(hour))));
    });

    it('T-CONN: a gauge counts its value for as long as it lasted, in the unit of the meter', async () => {
      const made = await make('gauge', 'sum by (vm, project) (cores)', {
        quantity: 'valueSeconds',
        divideBy: '3600',
      });
      expect(await read(made)).toEqual(['2', '2', '3', '3']);
    });

    it('T-CONN: an invalid query is reported with the server’s message', async () => {
      const made = await make('counter', 'sum(bytes_total');
      await read(made);
      const after = await console.ok(connectors.getConnector, { connectorId: made.id }, { token: admin });
      expect(after.failure).toMatchObject({
        code: 'refused_query',
        detail: expect.stringContaining(says),
      });
      const checked = await console.ok(connectors.checkConnector, { connectorId: made.id }, { token: admin });
      expect(checked).toMatchObject({ says: null, failure: { code: 'refused_query' } });
    });
  });
